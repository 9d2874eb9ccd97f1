#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(i64),
    Plus,
    Minus,
}

struct Limits {
    depth: u32,
    width: u32,
}

const LARGEST: i64 = 1000;

fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for word in text.split_whitespace() {
        match word {
            "+" => found.push(Token::Plus),
            "-" => found.push(Token::Minus),
            other => {
                if let Ok(number) = other.parse::<i64>() {
                    found.push(Token::Number(number.min(LARGEST)));
                }
            }
        }
    }
    found
}

fn evaluate(tokens: &[Token], limits: &Limits) -> Option<i64> {
    let mut total = 0;
    let mut sign = 1;
    for (index, token) in tokens.iter().enumerate() {
        if index as u32 >= limits.depth * limits.width {
            return None;
        }
        match token {
            Token::Number(number) => total += sign * number,
            Token::Plus => sign = 1,
            Token::Minus => sign = -1,
        }
    }
    Some(total)
}

fn main() {
    let text = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let limits = Limits { depth: 8, width: 4 };
    println!("{:?}", evaluate(&tokens(&text), &limits));
}
