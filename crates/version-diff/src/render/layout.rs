//! A small layered layout: nodes in rows so that most edges lead down, ordered within
//! rows to cross little.
//!
//! The usual four steps, each in its simplest form: back edges of a depth-first search
//! are taken as upward; a node's row is the longest way to it; long edges get a bend in
//! every row they pass; rows are sorted by the mean place of their neighbours, downward
//! and upward by turns.

const SWEEPS: usize = 8;

/// Where things ended up, in abstract units: x within the row, y the row.
pub(super) struct Layout {
    /// Per node: row and place in the row.
    pub(super) places: Vec<(usize, usize)>,
    /// Per edge: the bends it passes, as (row, place), from its source to its target.
    pub(super) bends: Vec<Vec<(usize, usize)>>,
    /// Items (nodes and bends) per row, as widths.
    pub(super) rows: Vec<Vec<Item>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    Node(usize),
    /// A bend of this edge.
    Bend(usize),
}

pub(super) fn layout(node_count: usize, edges: &[(usize, usize)]) -> Layout {
    let upward = upward_edges(node_count, edges);
    let row = rows_of(node_count, edges, &upward);
    let row_count = row.iter().max().map_or(0, |last| last + 1);
    // Items of all rows; links between items of neighbouring rows.
    let mut items: Vec<(Item, usize)> = (0..node_count)
        .map(|node| (Item::Node(node), row[node]))
        .collect();
    let mut links: Vec<(usize, usize)> = Vec::new();
    let mut chains: Vec<Vec<usize>> = Vec::new();
    for (edge, &(from, to)) in edges.iter().enumerate() {
        let (top, bottom) = if row[from] <= row[to] {
            (from, to)
        } else {
            (to, from)
        };
        let mut chain = Vec::new();
        let mut last = top;
        for between in row[top] + 1..row[bottom] {
            items.push((Item::Bend(edge), between));
            links.push((last, items.len() - 1));
            last = items.len() - 1;
            chain.push(last);
        }
        if row[top] != row[bottom] {
            links.push((last, bottom));
        }
        if row[from] > row[to] {
            chain.reverse();
        }
        chains.push(chain);
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); row_count];
    for (item, (_, row)) in items.iter().enumerate() {
        rows[*row].push(item);
    }
    order(&mut rows, &links, items.len());
    let mut place = vec![(0, 0); items.len()];
    for (row, members) in rows.iter().enumerate() {
        for (index, &item) in members.iter().enumerate() {
            place[item] = (row, index);
        }
    }
    Layout {
        places: place[..node_count].to_vec(),
        bends: chains
            .iter()
            .map(|chain| chain.iter().map(|&item| place[item]).collect())
            .collect(),
        rows: rows
            .iter()
            .map(|members| members.iter().map(|&item| items[item].0).collect())
            .collect(),
    }
}

fn upward_edges(node_count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); node_count];
    for (index, &(from, _)) in edges.iter().enumerate() {
        out[from].push(index);
    }
    let mut upward = vec![false; edges.len()];
    // 0 unseen, 1 on the way, 2 done.
    let mut state = vec![0u8; node_count];
    for root in 0..node_count {
        if state[root] != 0 {
            continue;
        }
        state[root] = 1;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            match out[*node].get(*next) {
                Some(&edge) => {
                    *next += 1;
                    let to = edges[edge].1;
                    match state[to] {
                        0 => {
                            state[to] = 1;
                            stack.push((to, 0));
                        }
                        1 => upward[edge] = true,
                        _ => {}
                    }
                }
                None => {
                    state[*node] = 2;
                    stack.pop();
                }
            }
        }
    }
    upward
}

fn rows_of(node_count: usize, edges: &[(usize, usize)], upward: &[bool]) -> Vec<usize> {
    let mut row = vec![0; node_count];
    // Without upward edges there are no cycles, so this settles within node_count rounds.
    for _ in 0..node_count {
        let mut changed = false;
        for (&(from, to), &up) in edges.iter().zip(upward) {
            if !up && row[to] < row[from] + 1 {
                row[to] = row[from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    row
}

fn order(rows: &mut [Vec<usize>], links: &[(usize, usize)], item_count: usize) {
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); item_count];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); item_count];
    for &(top, bottom) in links {
        above[bottom].push(top);
        below[top].push(bottom);
    }
    let mut place = vec![0f64; item_count];
    let number = |rows: &[Vec<usize>], place: &mut [f64]| {
        for row in rows {
            for (index, &item) in row.iter().enumerate() {
                place[item] = index as f64 - row.len() as f64 / 2.0;
            }
        }
    };
    number(rows, &mut place);
    for sweep in 0..SWEEPS {
        let neighbours = if sweep % 2 == 0 { &above } else { &below };
        let count = rows.len();
        for step in 0..count {
            let row = if sweep % 2 == 0 {
                step
            } else {
                count - 1 - step
            };
            let mean = |item: &usize| {
                let near = &neighbours[*item];
                if near.is_empty() {
                    place[*item]
                } else {
                    near.iter().map(|&one| place[one]).sum::<f64>() / near.len() as f64
                }
            };
            let mut keyed: Vec<(f64, usize)> =
                rows[row].iter().map(|item| (mean(item), *item)).collect();
            keyed.sort_by(|left, right| left.0.total_cmp(&right.0));
            rows[row] = keyed.into_iter().map(|(_, item)| item).collect();
            let length = rows[row].len() as f64;
            for (index, &item) in rows[row].iter().enumerate() {
                place[item] = index as f64 - length / 2.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_lead_down_except_back_edges() {
        let edges = [(0, 1), (1, 2), (2, 1), (0, 3), (2, 3)];
        let layout = layout(4, &edges);
        let row = |node: usize| layout.places[node].0;
        assert_eq!([row(0), row(1), row(2), row(3)], [0, 1, 2, 3]);
        // 0 → 3 passes two rows.
        assert_eq!(layout.bends[3].len(), 2);
    }

    #[test]
    fn nothing_is_laid_out_as_nothing() {
        assert!(layout(0, &[]).rows.is_empty());
    }
}
