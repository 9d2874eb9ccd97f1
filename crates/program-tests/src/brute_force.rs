//! Exploration held against brute force: every input of a small domain is run concretely, and the paths
//! that exploration found must be exactly those that these runs take.
//!
//! A concrete run is made as `parallax run` makes it and traced by [`Machine::run_traced`], which
//! shares nothing with the recorder of symbolic runs.
//!
//! **What is demanded** ([`BruteForce::check`]):
//! - exploration says that it is exhausted, with no gap;
//! - the set of (branch path, kind and place of the end) is that of brute force;
//! - the conditions of the paths split the inputs: exactly one path is satisfied by each, and no path
//!   was run twice;
//! - each path predicts the runs of its inputs: branch path, end, exit status, returned words and
//!   output, computed by its terms from the input, are those of the concrete run;
//! - two paths with the same branch path part at an event that is no branch: at a value that was
//!   concretised, or at the object of an access.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use concolic_vm::linux::{Bytes, FileConfig, Kernel, KernelConfig};
use concolic_vm::symbolic::{EventKind, SymbolicInput, SymbolicLimits, parameter_name};
use concolic_vm::{BranchTrace, End, Limits, Machine, Outcome, Program, Start};
use exploration::journal::Earlier;
use exploration::relevance::PairRelevance;
use exploration::worker::Ran;
use exploration::{
    Budget, ChangeConfig, Config, InputRecord, InputSpace, MachineConfig, Note, Observer, Probe,
    Solving, StaticFacts, Strategy, Subject, Summary, Transport, Version,
};
use expr::{Evaluation, ExprId, Store};

use crate::remembered_answers::Answers;

/// A program, or a function of it, with the shapes of its inputs.
pub struct Explorable<'p> {
    pub program: &'p Program,
    pub subject: Subject,
    pub shapes: Vec<SymbolicInput>,
}

/// Far above what a test program needs.
const LIMITS: Limits = Limits {
    steps: 5_000_000,
    depth: 2_000,
    stack_bytes: 8 << 20,
};

/// What tells one path from another: the way through the code, and the kind and place of the end.
pub type Behaviour = (BranchTrace, String);

/// What a run on one input did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub behaviour: Behaviour,
    pub effect: Effect,
}

/// What may depend on the input without any branch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    /// After a plain exit of a whole program.
    pub status: Option<i32>,
    /// By a called function.
    pub returned: Vec<u64>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

fn end_of(outcome: &Outcome) -> String {
    match outcome.location() {
        Some(place) => format!("{} in {place}", outcome.end.kind()),
        None => outcome.end.kind().to_string(),
    }
}

/// How to explore.
#[derive(Clone)]
pub struct How {
    pub strategy: Strategy,
    pub workers: usize,
    pub seed: u64,
    pub runs: Option<u64>,
    pub time: Option<Duration>,
    pub query_timeout: Duration,
    /// Answers of the solver to be used, and learnt.
    pub answers: Option<Answers>,
    /// Inputs to run first.
    pub seeds: Vec<(u32, SymbolicInput)>,
    /// When versions are compared: see [`exploration::Config`].
    pub propagate: Option<exploration::propagate::Limits>,
    /// When versions are compared: whether ways that cannot show a difference are left out.
    pub prune: bool,
    /// How much is done before it is known which.
    pub work_before_facts: u64,
    pub slices: Slices,
    /// After so many decisions the input is concretised; see [`SymbolicLimits`].
    pub decisions: u32,
    /// How messages come to executors.
    pub transport: Transport,
}

/// Of which paths only what matters is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slices {
    None,
    /// Of those that execute no change.
    Unreached,
    All,
}

impl How {
    pub fn new(strategy: Strategy, workers: usize) -> How {
        How {
            strategy,
            workers,
            seed: 0,
            runs: None,
            time: None,
            query_timeout: Duration::from_secs(60),
            answers: None,
            seeds: Vec::new(),
            slices: Slices::None,
            decisions: SymbolicLimits::default().decisions,
            prune: false,
            work_before_facts: 0,
            propagate: None,
            transport: Transport::Direct,
        }
    }
}

/// What an exploration found.
#[derive(Clone)]
pub struct Explored {
    pub summary: Summary,
    /// The input of each path with the number of its shape, in the order in which they were found.
    pub inputs: Vec<(u32, SymbolicInput)>,
    /// What was written down to go on from, without what was there before.
    pub journal: String,
}

#[derive(Default)]
struct Collector(Mutex<Vec<(u32, SymbolicInput)>>);

impl Probe for Collector {
    fn path(&self, ran: &Ran<'_>) -> Option<Note> {
        Some(Note::of(&(ran.shape, &ran.input)))
    }
}

impl Observer for Collector {
    fn note(&self, note: &Note) -> std::io::Result<()> {
        let mut all = self.0.lock().expect("no panic");
        all.push(note.read());
        Ok(())
    }
}

/// What notes things of runs, and what collects the notes.
pub trait Watching: Probe + Observer {}

impl<W: Probe + Observer> Watching for W {}

#[derive(Clone, Default)]
struct SharedText(Arc<Mutex<Vec<u8>>>);

impl Write for SharedText {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'p> Explorable<'p> {
    /// A call of one function with any bytes.
    pub fn call(program: &'p Program, name: &str) -> Explorable<'p> {
        let function = program.module().function_named(name);
        Explorable {
            program,
            subject: Subject::Call(function.expect("the program has the function")),
            shapes: InputSpace::default().shapes(),
        }
    }
}

impl Explorable<'_> {
    /// Runs an input concretely.
    pub fn run(&self, input: &InputRecord) -> Run {
        let mut config = KernelConfig {
            stdin: Bytes::concrete(input.stdin.clone()),
            ..KernelConfig::default()
        };
        for (path, content) in &input.files {
            let file = FileConfig::file(content.clone());
            config.files.insert(path.clone().into_bytes(), file);
        }
        let kernel = Kernel::new(config).expect("the surroundings are possible");
        let mut machine = match self.subject {
            Subject::Whole => {
                let variable = |(name, value): (&String, &Vec<u8>)| {
                    [name.as_bytes(), b"=", value.as_slice()].concat()
                };
                let start = Start {
                    args: input.args.clone(),
                    environment: input.environment.iter().map(variable).collect(),
                };
                Machine::start(self.program, kernel, LIMITS, &start).expect("the program starts")
            }
            Subject::Call(function) => {
                let machine = Machine::new(self.program, kernel, LIMITS, function);
                let mut machine = machine.expect("the call starts");
                for (name, value) in &input.variables {
                    let mut names = (0..).map(parameter_name);
                    let number = names.position(|parameter| parameter == *name);
                    let mut word = [0; 8];
                    word[..value.len()].copy_from_slice(value);
                    machine.set_argument(number.expect("a parameter"), u64::from_le_bytes(word));
                }
                machine
            }
        };
        let (outcome, trace) = machine.run_traced();
        Run {
            behaviour: (trace, end_of(&outcome)),
            effect: self.effect(&outcome, &machine),
        }
    }

    fn effect(&self, outcome: &Outcome, machine: &Machine<'_>) -> Effect {
        let returned = machine.returned().to_vec();
        Effect {
            status: match outcome.end {
                // The words that a called function returns say more.
                End::Exit { status } if returned.is_empty() => Some(status),
                _ => None,
            },
            returned,
            stdout: machine.kernel().stdout().bytes().to_vec(),
            stderr: machine.kernel().stderr().bytes().to_vec(),
        }
    }

    /// Explores, after what `earlier` left.
    pub fn explore(&self, how: &How, earlier: Earlier) -> Explored {
        let collector = Collector::default();
        let journal = SharedText::default();
        let to = Box::new(journal.clone());
        let never = AtomicBool::new(false);
        let summary = self.explore_watched(how, earlier, Some(to), &collector, &never);
        let journal = std::mem::take(&mut *journal.0.lock().expect("no panic"));
        Explored {
            summary,
            inputs: collector.0.into_inner().expect("no panic"),
            journal: String::from_utf8(journal).expect("a journal is text"),
        }
    }

    /// Explores until `interrupt` is set, telling `watching`.
    pub fn explore_watched(
        &self,
        how: &How,
        earlier: Earlier,
        journal: Option<Box<dyn Write + Send>>,
        watching: &dyn Watching,
        interrupt: &AtomicBool,
    ) -> Summary {
        self.explore_versions(
            &[self.version()],
            how,
            earlier,
            journal,
            watching,
            interrupt,
        )
    }

    /// Compares two versions on all paths of their common inputs.
    pub fn compare_with(
        &self,
        new: &Explorable<'_>,
        how: &How,
        watching: &dyn Watching,
    ) -> Summary {
        self.compare_journalled(new, how, Earlier::default(), None, watching)
    }

    /// Compares two versions, after what `earlier` left; also what was written down to go on from, without what was there
    /// before.
    pub fn compare_after(
        &self,
        new: &Explorable<'_>,
        how: &How,
        earlier: Earlier,
        watching: &dyn Watching,
    ) -> (Summary, String) {
        let journal = SharedText::default();
        let to: Box<dyn Write + Send> = Box::new(journal.clone());
        let summary = self.compare_journalled(new, how, earlier, Some(to), watching);
        let journal = std::mem::take(&mut *journal.0.lock().expect("no panic"));
        let journal = String::from_utf8(journal).expect("a journal is text");
        (summary, journal)
    }

    /// Compares this version and later ones, after what `earlier` left; also what was written down to go on from, without
    /// what was there before.
    pub fn compare_several(
        &self,
        later: &[Explorable<'_>],
        how: &How,
        earlier: Earlier,
        watching: &dyn Watching,
    ) -> (Summary, String) {
        let later = later.iter().map(Explorable::version);
        let versions: Vec<_> = [self.version()].into_iter().chain(later).collect();
        let never = AtomicBool::new(false);
        let journal = SharedText::default();
        let to: Box<dyn Write + Send> = Box::new(journal.clone());
        let summary = self.explore_versions(&versions, how, earlier, Some(to), watching, &never);
        let journal = std::mem::take(&mut *journal.0.lock().expect("no panic"));
        let journal = String::from_utf8(journal).expect("a journal is text");
        (summary, journal)
    }

    fn compare_journalled(
        &self,
        new: &Explorable<'_>,
        how: &How,
        earlier: Earlier,
        journal: Option<Box<dyn Write + Send>>,
        watching: &dyn Watching,
    ) -> Summary {
        let versions = [self.version(), new.version()];
        let never = AtomicBool::new(false);
        self.explore_versions(&versions, how, earlier, journal, watching, &never)
    }

    fn version(&self) -> Version<'_> {
        Version {
            program: self.program,
            subject: self.subject,
        }
    }

    fn explore_versions(
        &self,
        versions: &[Version<'_>],
        how: &How,
        earlier: Earlier,
        journal: Option<Box<dyn Write + Send>>,
        watching: &dyn Watching,
        interrupt: &AtomicBool,
    ) -> Summary {
        let facts = match versions {
            [old, new] => Some(StaticFacts::new(*old, *new)),
            _ => None,
        };
        let relevance = match (versions, &facts, how.slices) {
            ([old, new], Some(facts), Slices::Unreached | Slices::All) => {
                PairRelevance::of(&[*old, *new], facts, how.slices == Slices::All)
            }
            _ => None,
        };
        let solver_config = solver::Config {
            panic_on_wrong_model: true,
            ..solver::Config::default()
        };
        let config = Config {
            strategy: how.strategy,
            seed: how.seed,
            workers: how.workers,
            budget: Budget {
                runs: how.runs,
                time: how.time,
                ..Budget::default()
            },
            transport: how.transport,
            machine: MachineConfig {
                kernel: KernelConfig::default(),
                limits: LIMITS,
                symbolic_limits: SymbolicLimits {
                    decisions: how.decisions,
                    ..SymbolicLimits::default()
                },
            },
            shapes: self.shapes.clone(),
            seeds: how.seeds.clone(),
            solving: Solving {
                query_timeout: how.query_timeout,
                most_terms: 1 << 23,
                solver: &|_| match &how.answers {
                    Some(answers) => answers.before(solver::chain(&solver_config)),
                    None => solver::chain(&solver_config),
                },
            },
            memory_used: &|| 0,
            interrupt,
            all_tests: false,
            change: ChangeConfig {
                relevance: relevance.as_ref(),
                facts: facts.as_ref(),
                prune: how.prune,
                work_before_facts: how.work_before_facts,
                propagate: how.propagate,
            },
        };
        exploration::explore(versions, config, earlier, journal, watching, watching)
    }

    /// An input in the shape that it has.
    pub fn shaped(&self, input: &InputRecord) -> Option<(u32, SymbolicInput)> {
        let mut shapes = (0..).zip(&self.shapes);
        shapes.find_map(|(number, shape)| Some((number, input.in_shape(shape)?)))
    }
}

/// A path, as a symbolic run on one of its inputs shows it.
struct Path {
    conditions: Vec<(ExprId, EventKind)>,
    /// Of the concrete run on the same input.
    behaviour: Behaviour,
    end: String,
    /// The run's own effect, and the terms of what in it depends on the input.
    effect: Effect,
    status: Option<ExprId>,
    returned: Vec<Option<ExprId>>,
    stdout: Vec<u32>,
    stderr: Vec<u32>,
}

impl Path {
    /// What the run on another input of this path does.
    fn predict(&self, store: &Store, evaluation: &mut Evaluation) -> Effect {
        let mut effect = self.effect.clone();
        if let (Some(status), Some(term)) = (&mut effect.status, self.status) {
            *status = evaluation.value(store, term) as i32;
        }
        for (word, term) in effect.returned.iter_mut().zip(&self.returned) {
            if let Some(term) = *term {
                *word = evaluation.value(store, term) as u64;
            }
        }
        let streams = [
            (&mut effect.stdout, &self.stdout),
            (&mut effect.stderr, &self.stderr),
        ];
        for (bytes, terms) in streams {
            for (byte, &term) in bytes.iter_mut().zip(terms) {
                if let Some(term) = ExprId::from_raw(term) {
                    *byte = evaluation.value(store, term) as u8;
                }
            }
        }
        effect
    }
}

/// The paths as a tree: where one goes on, there is one child for each condition.
#[derive(Default)]
struct Node {
    children: Vec<(ExprId, usize)>,
    path: Option<usize>,
}

/// The runs on all inputs, and what is known of the paths.
pub struct BruteForce<'e, 'p> {
    of: &'e Explorable<'p>,
    inputs: Vec<InputRecord>,
    runs: Vec<Run>,
    behaviours: BTreeSet<Behaviour>,
    store: Store,
    /// By the number of the shape: the root of its tree in `nodes`.
    roots: Vec<usize>,
    nodes: Vec<Node>,
    paths: Vec<Path>,
}

impl<'e, 'p> BruteForce<'e, 'p> {
    pub fn new(of: &'e Explorable<'p>, inputs: Vec<InputRecord>) -> BruteForce<'e, 'p> {
        let runs: Vec<Run> = inputs.iter().map(|input| of.run(input)).collect();
        BruteForce {
            of,
            inputs,
            behaviours: runs.iter().map(|run| run.behaviour.clone()).collect(),
            runs,
            store: Store::new(),
            roots: (0..of.shapes.len()).collect(),
            nodes: of.shapes.iter().map(|_| Node::default()).collect(),
            paths: Vec::new(),
        }
    }

    pub fn inputs(&self) -> &[InputRecord] {
        &self.inputs
    }

    pub fn behaviours(&self) -> usize {
        self.behaviours.len()
    }

    /// Of these, how many do not end with a plain exit.
    pub fn faults(&self) -> usize {
        let ends = self.behaviours.iter().map(|behaviour| &behaviour.1);
        ends.filter(|end| *end != "exit").count()
    }

    pub fn paths(&self) -> usize {
        self.paths.len()
    }

    /// Holds an exploration against brute force. The first one is looked at most closely; others must have
    /// the same paths.
    pub fn check(&mut self, explored: &Explored) -> Result<(), String> {
        let summary = &explored.summary;
        if !summary.exhausted() {
            return Err(format!(
                "not exhausted: {}, {} open, gaps {:?}",
                summary.stop, summary.open_flips, summary.gaps
            ));
        }
        if summary.paths != explored.inputs.len() as u64 {
            let told = explored.inputs.len();
            return Err(format!("{} paths counted, {told} told", summary.paths));
        }
        let known = self.paths.len();
        let first = known == 0;
        let mut seen = BTreeMap::new();
        for (index, (shape, input)) in explored.inputs.iter().enumerate() {
            let path = self.path_of(*shape, input)?;
            if path >= known && !first {
                return Err(format!(
                    "the first exploration did not find the path of {:?}",
                    InputRecord::exact(input)
                ));
            }
            if let Some(before) = seen.insert(path, index) {
                return Err(format!(
                    "path {path} was run twice: {:?} and {:?}",
                    InputRecord::exact(&explored.inputs[before].1),
                    InputRecord::exact(input)
                ));
            }
        }
        if first {
            self.check_prediction()?;
            self.check_equal_traces()?;
        } else if seen.len() != self.paths.len() {
            return Err(format!(
                "{} paths, the first exploration found {known}",
                seen.len()
            ));
        }
        let behaviours: BTreeSet<&Behaviour> = seen
            .keys()
            .map(|&path| &self.paths[path].behaviour)
            .collect();
        let all: BTreeSet<&Behaviour> = self.behaviours.iter().collect();
        if behaviours != all {
            let input_of = |lost: &Behaviour| {
                let index = self.runs.iter().position(|run| run.behaviour == *lost);
                index.map(|index| &self.inputs[index])
            };
            let lost: Vec<_> = all.difference(&behaviours).take(3).collect();
            let lost: Vec<_> = lost.iter().map(|lost| (lost, input_of(lost))).collect();
            let wrong: Vec<_> = behaviours.difference(&all).take(3).collect();
            return Err(format!(
                "{} behaviours explored, {} by brute force; lost {lost:?}; not real {wrong:?}",
                behaviours.len(),
                all.len()
            ));
        }
        Ok(())
    }

    /// The number of the path that an explored input takes, by a symbolic run of our own.
    fn path_of(&mut self, shape: u32, input: &SymbolicInput) -> Result<usize, String> {
        let kernel = KernelConfig::default();
        let limits = SymbolicLimits::default();
        let (program, subject) = (self.of.program, self.of.subject);
        let store = &mut self.store;
        let mut process = subject
            .start(program, store, kernel, LIMITS, limits, input)
            .map_err(|error| error.to_string())?;
        let run = process.run(store);
        let mut node = self.roots[shape as usize];
        for event in &run.path {
            let children = &self.nodes[node].children;
            let known = children.iter().find(|child| child.0 == event.condition);
            node = match known {
                Some(child) => child.1,
                None => {
                    let new = self.nodes.len();
                    self.nodes.push(Node::default());
                    self.nodes[node].children.push((event.condition, new));
                    new
                }
            };
        }
        if let Some(path) = self.nodes[node].path {
            return Ok(path);
        }
        let record = InputRecord::of(input);
        let concrete = self.of.run(&record);
        let terms = |bytes: Bytes| bytes.terms().map(<[u32]>::to_vec).unwrap_or_default();
        let path = Path {
            conditions: run
                .path
                .iter()
                .map(|event| (event.condition, event.kind))
                .collect(),
            behaviour: concrete.behaviour,
            end: end_of(&run.outcome),
            effect: self.of.effect(&run.outcome, process.machine()),
            status: run.exit_status,
            returned: run.returned,
            stdout: terms(process.machine().kernel().stdout()),
            stderr: terms(process.machine().kernel().stderr()),
        };
        if path.end != path.behaviour.1 || path.effect != concrete.effect {
            return Err(format!(
                "the symbolic run of {record:?} differs from the concrete one: {} {:?}, not {} {:?}",
                path.end, path.effect, path.behaviour.1, concrete.effect
            ));
        }
        let number = self.paths.len();
        self.nodes[node].path = Some(number);
        self.paths.push(path);
        Ok(number)
    }

    /// Each input satisfies exactly one path, which says what its run does.
    fn check_prediction(&mut self) -> Result<(), String> {
        for (input, run) in self.inputs.iter().zip(&self.runs) {
            let shaped = self.of.shaped(input);
            let (shape, shaped) = shaped.ok_or(format!("{input:?} is outside of all shapes"))?;
            let variables: Vec<_> = shaped
                .variables
                .iter()
                .map(|(name, bytes)| (name.as_str().into(), bytes.len() as u32))
                .collect();
            let mut evaluation = Evaluation::new(shaped.model(&mut self.store, &variables));
            let mut node = self.roots[shape as usize];
            let path = loop {
                let here = &self.nodes[node];
                if let Some(path) = here.path {
                    if !here.children.is_empty() {
                        return Err(format!("path {path} is the beginning of another"));
                    }
                    break path;
                }
                let mut ways = here.children.iter();
                let mut ways = ways
                    .by_ref()
                    .filter(|way| evaluation.holds(&self.store, way.0));
                let Some(way) = ways.next() else {
                    return Err(format!("no path is satisfied by {input:?}: it is lost"));
                };
                if ways.next().is_some() {
                    return Err(format!("two paths are satisfied by {input:?}"));
                }
                node = way.1;
            };
            let path = &self.paths[path];
            if path.behaviour != run.behaviour {
                return Err(format!(
                    "{input:?} is said to end with {:?}, but ends with {:?}",
                    path.behaviour, run.behaviour
                ));
            }
            let predicted = path.predict(&self.store, &mut evaluation);
            if predicted != run.effect {
                return Err(format!(
                    "{input:?} is said to have the effect {predicted:?}, but has {:?}",
                    run.effect
                ));
            }
        }
        Ok(())
    }

    /// Paths with the same branch path part at something that is no branch.
    fn check_equal_traces(&self) -> Result<(), String> {
        let mut groups: HashMap<&Behaviour, Vec<&Path>> = HashMap::new();
        for path in &self.paths {
            groups.entry(&path.behaviour).or_default().push(path);
        }
        for group in groups.values() {
            for pair in group.windows(2) {
                let events = pair[0].conditions.iter().zip(&pair[1].conditions);
                let parting = events.clone().find(|(one, other)| one.0 != other.0);
                let Some((one, _)) = parting else {
                    return Err("one path is the beginning of another".to_owned());
                };
                if matches!(one.1, EventKind::Branch | EventKind::Switch) {
                    return Err(format!(
                        "two paths part at a branch, but have the same branch path {:?}",
                        pair[0].behaviour
                    ));
                }
            }
        }
        Ok(())
    }
}
