//! Functions that the tests of a file call; a file has those that it uses.

/// A part of the helpers: it is there if what follows has its name.
struct Helper {
    name: &'static str,
    text: &'static str,
}

/// Later ones may use earlier ones.
const ALL: &[Helper] = &[
    Helper {
        name: "failed(",
        text: r#"static int failures;
/* Where failures are told. */
static FILE *complaints;

static void failed(int line, const char *what)
{
    failures++;
    fprintf(complaints ? complaints : stderr, "%s:%d: %s\n", __FILE__, line, what);
}

"#,
    },
    Helper {
        name: "CHECK(",
        text: r#"#define CHECK(condition) ((condition) ? (void)0 : failed(__LINE__, "not so: " #condition))

"#,
    },
    Helper {
        name: "CHECK_INT(",
        text: r#"#define CHECK_INT(actual, expected) check_int(__LINE__, #actual, actual, expected)

static void check_int(int line, const char *what, long long actual, long long expected)
{
    char message[200];
    if (actual == expected) return;
    snprintf(message, sizeof message, "%.100s is %lld and not %lld", what, actual, expected);
    failed(line, message);
}

"#,
    },
    Helper {
        name: "CHECK_UINT(",
        text: r#"#define CHECK_UINT(actual, expected) check_uint(__LINE__, #actual, actual, expected)

static void check_uint(int line, const char *what, unsigned long long actual, unsigned long long expected)
{
    char message[200];
    if (actual == expected) return;
    snprintf(message, sizeof message, "%.100s is %llu and not %llu", what, actual, expected);
    failed(line, message);
}

"#,
    },
    Helper {
        name: "CHECK_TEXT(",
        text: r#"#define CHECK_TEXT(actual, expected) check_text(__LINE__, #actual, actual, expected)

static void check_text(int line, const char *what, const char *actual, const char *expected)
{
    char message[400];
    if (actual && strcmp(actual, expected) == 0) return;
    snprintf(message, sizeof message, "%.100s is \"%.100s\" and not \"%.100s\"", what, actual ? actual : "(NULL)", expected);
    failed(line, message);
}

"#,
    },
    Helper {
        name: "CHECK_BYTES(",
        text: r#"#define CHECK_BYTES(actual, expected, size) CHECK(memcmp(actual, expected, size) == 0)

"#,
    },
    Helper {
        name: "is_same_number(",
        text: r#"/* Whether two numbers are the same in all bits: 0 and -0 are not. */
static int is_same_number(double one, double other)
{
    return memcmp(&one, &other, sizeof one) == 0;
}

"#,
    },
    Helper {
        name: "in_own_process(",
        text: r#"/* What a process has put out. */
struct output {
    char *text;
    size_t size;
};

/* What a call did in a process of its own: how that ended, as a shell reports it, and what it put out. */
struct ended {
    int status;
    struct output out, err;
};

static struct output read_back(FILE *file)
{
    struct output output = {NULL, 0};
    fseek(file, 0, SEEK_END);
    output.size = (size_t)ftell(file);
    rewind(file);
    output.text = calloc(1, output.size + 1);
    output.size = fread(output.text, 1, output.size, file);
    fclose(file);
    return output;
}

static struct ended in_own_process(void (*call)(void), const char *input, size_t size)
{
    struct ended ended = {0};
    FILE *files[3] = {tmpfile(), tmpfile(), tmpfile()};
    fwrite(input, 1, size, files[0]);
    rewind(files[0]);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        complaints = fdopen(dup(2), "w");
        setvbuf(complaints, NULL, _IONBF, 0);
        for (int i = 0; i < 3; i++) dup2(fileno(files[i]), i);
        alarm(10);
        call();
        fflush(NULL);
        _exit(failures ? 125 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    fclose(files[0]);
    ended.out = read_back(files[1]);
    ended.err = read_back(files[2]);
    return ended;
}

static int has_text(const struct output *output, const char *text, size_t size)
{
    return output->size == size && memcmp(output->text, text, size) == 0;
}

static void forget(struct ended *ended)
{
    free(ended->out.text);
    free(ended->err.text);
}

"#,
    },
];

/// The helpers that a text uses.
pub(crate) fn used(text: &str) -> String {
    let mut chosen: Vec<&Helper> = Vec::new();
    for helper in ALL.iter().rev() {
        let is_used = |text: &str| {
            let mut places = text.match_indices(helper.name);
            places.any(|(at, _)| {
                let before = text[..at].chars().next_back();
                !before.is_some_and(|before| before.is_ascii_alphanumeric() || before == '_')
            })
        };
        let is_tied =
            helper.name == "failed(" && chosen.iter().any(|one| one.text.contains("failures"));
        if is_tied || is_used(text) || chosen.iter().any(|later| is_used(later.text)) {
            chosen.push(helper);
        }
    }
    chosen.iter().rev().map(|helper| helper.text).collect()
}

/// The headers that a text needs, beside that of its framework.
pub(crate) fn headers(text: &str) -> String {
    let needs: [(&str, &[&str]); 8] = [
        ("errno.h", &["errno"]),
        ("limits.h", &["INT_MIN", "LLONG_MIN"]),
        ("math.h", &["NAN", "INFINITY", "isnan("]),
        ("stdio.h", &["FILE", "printf("]),
        ("stdlib.h", &["calloc(", "free(", "setenv("]),
        ("string.h", &["memcmp(", "memcpy(", "strcmp("]),
        ("sys/wait.h", &["waitpid("]),
        ("unistd.h", &["fork("]),
    ];
    let needed = needs
        .iter()
        .filter(|(_, words)| words.iter().any(|word| text.contains(word)));
    needed
        .map(|(header, _)| format!("#include <{header}>\n"))
        .collect()
}
