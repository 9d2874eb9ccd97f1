// VecDeque, BinaryHeap with Reverse, LinkedList, and Dijkstra on a grid.
use std::cmp::Reverse;
use std::collections::{BinaryHeap, LinkedList, VecDeque};

fn shortest(grid: &[Vec<u32>]) -> Option<u32> {
    let (rows, columns) = (grid.len(), grid[0].len());
    let mut best = vec![vec![u32::MAX; columns]; rows];
    let mut heap = BinaryHeap::from([Reverse((grid[0][0], 0usize, 0usize))]);
    while let Some(Reverse((cost, r, c))) = heap.pop() {
        if (r, c) == (rows - 1, columns - 1) {
            return Some(cost);
        }
        if cost >= best[r][c] {
            continue;
        }
        best[r][c] = cost;
        for (dr, dc) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            if let (Some(nr), Some(nc)) = (r.checked_add_signed(dr), c.checked_add_signed(dc)) {
                if let Some(step) = grid.get(nr).and_then(|row| row.get(nc)) {
                    heap.push(Reverse((cost + step, nr, nc)));
                }
            }
        }
    }
    None
}

fn main() {
    let mut queue: VecDeque<i32> = (1..=5).collect();
    for i in 0..12 {
        let front = queue.pop_front().unwrap();
        if i % 3 == 0 { queue.push_front(front * 10) } else { queue.push_back(front + i) }
    }
    queue.rotate_left(2);
    println!("{queue:?} {:?}", queue.iter().max());
    println!("{:?}", queue.make_contiguous());
    let mut heap: BinaryHeap<(u8, &str)> = [(3, "c"), (9, "z"), (1, "a"), (9, "b")].into();
    print!("{:?} ", heap.peek());
    heap.push((5, "m"));
    println!("{:?}", heap.into_sorted_vec());
    let mut state = 7u32;
    let grid: Vec<Vec<u32>> = (0..15)
        .map(|_| (0..15).map(|_| { state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223); state >> 28 }).collect())
        .collect();
    println!("{:?}", shortest(&grid));
    let mut list: LinkedList<_> = "abc".chars().collect();
    let mut tail: LinkedList<_> = "xyz".chars().collect();
    list.append(&mut tail);
    list.push_front('>');
    println!("{} {:?} {}", list.iter().collect::<String>(), list.back(), tail.is_empty());
}
