//! The driver of one version: a C program that makes the calls of a sequence, one after the other, as the input says.
//!
//! Each function of the interface is called by a function of the driver, written by the same code as the driver of a single function
//! (`c_function::driver`). Which is called is a byte of the input, asked for before each call under a name of its own, `2.call`; so are the
//! arguments, `2.push.value`. What is seen of a call goes to a file of its own. When no call is left, the walk over the memory of all
//! handles is written, and the variables; then come those that only look.

use std::fmt::Write;

use super::space::{Alternative, Space};
use super::{MOST_HANDLES, Role};
use crate::c_function::driver::{Driver, HEAD, Member as InDriver};
use crate::c_function::find::including;

/// What is asked and written of each call.
const CALLS: &str = r#"
static char parallax_label[16], parallax_name[PARALLAX_LONGEST], parallax_file[64], parallax_after[64];
static unsigned long parallax_first_block;
static void *parallax_handles[2];
static unsigned char parallax_is_there[2], parallax_is_over;

static char *parallax_put(char *to, const char *text)
{
	while (*text) *to++ = *text++;
	*to = 0;
	return to;
}

static const char *parallax_named(const char *name)
{
	parallax_put(parallax_put(parallax_put(parallax_name, parallax_label), "."), name);
	return parallax_name;
}

static void parallax_begin(const char *label, unsigned call)
{
	parallax_put(parallax_label, label);
	parallax_put(parallax_put(parallax_file, "parallax.call."), label);
	parallax_put(parallax_put(parallax_put(parallax_after, "parallax.call."), label), ".state");
	parallax_first_block = call * PARALLAX_BLOCKS;
}

static void parallax_begin_call(unsigned call)
{
	char digits[3] = {(char)('0' + call / 10), (char)('0' + call % 10), 0};
	parallax_begin(digits + (call < 10), call);
}
"#;

/// The driver's text.
pub(crate) fn driver(space: &Space, version: usize, source: &std::path::Path) -> String {
    let whole = &space.whole;
    let mut driver = Driver {
        function: &space.functions[version],
        view: &whole.views[version],
        common: whole,
        version,
        member: None,
        text: including(source) + HEAD,
    };
    let longest = space.longest_name() + 32;
    let _ = write!(
        driver.text,
        "#define PARALLAX_LONGEST {longest}\n#define PARALLAX_BLOCKS {}ul{CALLS}",
        space.blocks()
    );
    driver.declare_globals();
    driver.text += &whole.seen.functions(version);
    driver.define_callbacks();
    let mut text = std::mem::take(&mut driver.text);
    see_handles(space, version, &mut text);
    for number in 0..space.members.len() {
        text += &step(space, version, number);
    }
    main(space, &mut text);
    driver.text = text;
    driver.observe_all(whole.observed.iter());
    observers(space, &mut driver.text);
    driver.text + "\tparallax_observe(\"parallax.end\", \"\", 0);\n\treturn 0;\n}\n"
}

/// The walk over all that handles lead to.
fn see_handles(space: &Space, version: usize, text: &mut String) {
    for (number, handle) in space.handles.iter().enumerate() {
        let _ = writeln!(
            text,
            "static void parallax_see_handle_{number}(const char *file) /* {handle} */\n{{"
        );
        let place = format!("(const unsigned char *)&parallax_handles[{number}]");
        let end = format!("({place}) + 8");
        let pair = [&space.handle[0], &space.handle[1]];
        space
            .whole
            .seen
            .write(version, pair, "file", &place, &end, text);
        text.push_str("}\n");
    }
}

/// A function that calls one of the interface: 0 if the arguments are not meant.
fn step(space: &Space, version: usize, number: usize) -> String {
    let member = &space.members[number];
    let function = &member.functions[version];
    let handles = &member.handles[version];
    let given: Vec<(usize, String)> = handles
        .iter()
        .zip(["parallax_first", "parallax_second"])
        .map(|(handle, name)| {
            let argument = match handle.by_address {
                true => format!("(void *){name}"),
                false => format!("*{name}"),
            };
            (handle.place, argument)
        })
        .collect();
    let mut driver = Driver {
        function,
        view: &member.common.views[version],
        common: &member.common,
        version,
        member: Some(InDriver {
            prefix: &member.prefix,
            given: &given,
        }),
        text: String::new(),
    };
    let _ = writeln!(
        driver.text,
        "static int parallax_step_{number}(void **parallax_first, void **parallax_second, unsigned char which)\n{{\n\t\
         int parallax_fits = 1;\n\t(void)parallax_first, (void)parallax_second;"
    );
    driver.make_arguments();
    driver.line("if (!parallax_fits) return 0;");
    driver.tie_lengths();
    driver.assume(&member.assumed);
    driver.line("parallax_observe(parallax_file, &which, 1);");
    if let Some(size) = member.fills(space, version) {
        driver.line(&format!("*parallax_first = __builtin_malloc({size});"));
    }
    driver.call();
    if member.sets_handle() {
        driver.line("*parallax_first = (void *)parallax_result;");
    }
    driver.observe_all(member.common.observed.iter());
    // What a call gives is compared together with what the handles lead to: it may be a part of that.
    if member.gives && !space.states {
        driver.line("{ unsigned char there = parallax_result != 0; parallax_observe(parallax_file, &there, 1); }");
    }
    if space.states && member.leads_on(&space.whole.seen) {
        for number in 0..space.handles.len() {
            driver.line(&format!(
                "if (parallax_is_there[{number}]) parallax_see_handle_{number}(parallax_after);"
            ));
        }
    }
    driver.text + "\treturn 1;\n}\n"
}

fn main(space: &Space, text: &mut String) {
    text.push_str(
        "int main(void)\n{\n\tunsigned char choice = 0;\n\tparallax_known(parallax_shared, parallax_callbacks, 0);\n\tparallax_begin_call(1);\n",
    );
    if space.begin.len() > 1 {
        text.push_str("\tparallax_symbolic(&choice, 1, parallax_named(\"call\"));\n");
    }
    text.push_str("\tparallax_is_there[0] = 1;\n\tswitch (choice) {\n");
    for (number, which) in space.begin.iter().enumerate() {
        let label = match number {
            0 => "default".to_owned(),
            number => format!("case {number}"),
        };
        let _ = writeln!(text, "\t{label}:");
        alternative(space, *which, text);
    }
    let nulls = u8::from(space.may_be_null);
    let _ = write!(
        text,
        "\t}}\n\tif (!parallax_handles[0] && !{nulls}) parallax_is_over = 1;\n\tfor (unsigned call = 2; call <= {} && \
         !parallax_is_over; call++) {{\n\t\tparallax_begin_call(call);\n\t\tparallax_symbolic(&choice, 1, parallax_named(\"call\"));\n",
        space.length + 1
    );
    for (is_there, alternatives) in space.go_on.iter().enumerate() {
        let is_last = is_there + 1 == space.go_on.len();
        let condition = match (space.go_on.len(), is_last) {
            (1, _) => String::new(),
            (_, true) => " else".to_owned(),
            (_, false) => " if (!parallax_is_there[1])".to_owned(),
        };
        let _ = writeln!(text, "\t\t{condition} switch (choice) {{");
        for (number, which) in (1..).zip(alternatives) {
            let _ = writeln!(text, "\tcase {number}:");
            alternative(space, *which, text);
        }
        text.push_str("\tdefault:\n\t\tparallax_is_over = 1;\n\t\t}\n");
    }
    if !space.may_be_null {
        text.push_str("\t\tif (!parallax_handles[0]) parallax_is_over = 1;\n");
        text.push_str("\t\tif (!parallax_handles[1]) parallax_is_there[1] = 0;\n");
    }
    text.push_str("\t}\n\tparallax_forget();\n");
    for (number, handle) in space.handles.iter().enumerate().filter(|_| space.states) {
        let _ = writeln!(
            text,
            "\tif (parallax_is_there[{number}]) parallax_see_handle_{number}(\"parallax.state.{handle}\");"
        );
    }
}

/// The statements of one way to go on, in a `switch`.
fn alternative(space: &Space, which: usize, text: &mut String) {
    let Alternative { member, handles } = &space.alternatives[which];
    let Some(member) = *member else {
        let handle = handles[0];
        let _ = writeln!(text, "\t\tparallax_is_there[{handle}] = 1;\n\t\tbreak;");
        return;
    };
    let [first, second] = [0, 1].map(|at| handles.get(at).copied().unwrap_or(MOST_HANDLES - 1));
    if space.members[member].role == Role::Constructor {
        let _ = writeln!(text, "\t\tparallax_is_there[{first}] = 1;");
    }
    let _ = writeln!(
        text,
        "\t\tif (!parallax_step_{member}(&parallax_handles[{first}], &parallax_handles[{second}], {which})) return 0;"
    );
    if space.members[member].role == Role::Destructor {
        text.push_str("\t\tparallax_is_over = 2;\n");
    }
    text.push_str("\t\tbreak;\n");
}

/// The calls of functions that only look: all that need no arguments, and one of the others.
fn observers(space: &Space, text: &mut String) {
    text.push_str("\tif (parallax_is_over == 2) goto parallax_done;\n");
    if !space.may_be_null {
        text.push_str("\tif (!parallax_handles[0]) goto parallax_done;\n");
    }
    let there = |which: usize| -> String {
        let handles = space.alternatives[which].handles.iter();
        let handles: Vec<String> = handles
            .map(|handle| format!("parallax_is_there[{handle}]"))
            .collect();
        handles.join(" && ")
    };
    let call = |which: usize| {
        let Alternative { member, handles } = &space.alternatives[which];
        let [first, second] = [0, 1].map(|at| handles.get(at).copied().unwrap_or(MOST_HANDLES - 1));
        format!(
            "parallax_step_{}(&parallax_handles[{first}], &parallax_handles[{second}], {which});",
            member.unwrap_or(0)
        )
    };
    for (number, which) in space.look.iter().enumerate() {
        let _ = writeln!(
            text,
            "\tif ({}) {{ parallax_begin(\"look{number}\", {}); {} }}",
            there(*which),
            space.length + 2 + number as u64,
            call(*which)
        );
    }
    if !space.look_for.is_empty() {
        let _ = writeln!(
            text,
            "\tparallax_begin(\"last\", {});\n\tparallax_symbolic(&choice, 1, parallax_named(\"call\"));\n\tswitch (choice) {{",
            space.length + 2 + space.look.len() as u64
        );
        for (number, which) in (1..).zip(&space.look_for) {
            let _ = writeln!(
                text,
                "\tcase {number}: if ({}) {} break;",
                there(*which),
                call(*which)
            );
        }
        text.push_str("\t}\n");
    }
    text.push_str("parallax_done:;\n");
}
