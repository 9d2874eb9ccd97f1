/* Statistics of contingency tables: do the rows depend on the columns?
 *
 * usage: contingency_table [-e] < tables
 *
 *   -e  also print the expected counts
 *
 * A table is its number of rows and columns (2 to 8 each) and then the counts (0 to 1000000), row by row, with
 * white space between; any number of tables follow each other. For each: total, chi-square, G, degrees of freedom,
 * probability (of a chi-square at least as large by chance), Cramer's V; for 2 by 2 tables also chi-square with
 * Yates's correction and the odds ratio. Rows and columns of zeros are left out, and named. */

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SIDE = 8, MAX_COUNT = 1000000, MAX_ROUNDS = 500 };

struct table {
    int rows;
    int columns;
    double counts[MAX_SIDE][MAX_SIDE];
    double row_sums[MAX_SIDE];
    double column_sums[MAX_SIDE];
    double total;
};

enum reading { FOUND, END, WRONG };

/* A whole number of at most `highest` behind white space. */
static enum reading read_number(int highest, int *number)
{
    int c = getchar();
    int value = 0;
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        c = getchar();
    if (c == EOF)
        return END;
    if (c < '0' || c > '9')
        return WRONG;
    while (c >= '0' && c <= '9') {
        value = value * 10 + (c - '0');
        if (value > highest)
            return WRONG;
        c = getchar();
    }
    if (c != EOF && c != ' ' && c != '\t' && c != '\n' && c != '\r')
        return WRONG;
    *number = value;
    return FOUND;
}

static enum reading read_table(struct table *table)
{
    enum reading first = read_number(MAX_SIDE, &table->rows);
    if (first != FOUND)
        return first;
    if (read_number(MAX_SIDE, &table->columns) != FOUND)
        return WRONG;
    if (table->rows < 2 || table->columns < 2)
        return WRONG;
    for (int row = 0; row < table->rows; row++) {
        for (int column = 0; column < table->columns; column++) {
            int count = 0;
            if (read_number(MAX_COUNT, &count) != FOUND)
                return WRONG;
            table->counts[row][column] = count;
        }
    }
    return FOUND;
}

static void add_up(struct table *table)
{
    memset(table->row_sums, 0, sizeof table->row_sums);
    memset(table->column_sums, 0, sizeof table->column_sums);
    table->total = 0.0;
    for (int row = 0; row < table->rows; row++) {
        for (int column = 0; column < table->columns; column++) {
            double count = table->counts[row][column];
            table->row_sums[row] += count;
            table->column_sums[column] += count;
            table->total += count;
        }
    }
}

static void remove_row(struct table *table, int gone)
{
    for (int row = gone; row + 1 < table->rows; row++)
        memcpy(table->counts[row], table->counts[row + 1], sizeof table->counts[row]);
    table->rows--;
}

static void remove_column(struct table *table, int gone)
{
    for (int row = 0; row < table->rows; row++) {
        for (int column = gone; column + 1 < table->columns; column++)
            table->counts[row][column] = table->counts[row][column + 1];
    }
    table->columns--;
}

static void leave_out_zeros(struct table *table)
{
    for (int row = table->rows - 1; row >= 0; row--) {
        if (table->row_sums[row] <= 0.0) {
            printf("  row %d is empty\n", row + 1);
            remove_row(table, row);
        }
    }
    for (int column = table->columns - 1; column >= 0; column--) {
        if (table->column_sums[column] <= 0.0) {
            printf("  column %d is empty\n", column + 1);
            remove_column(table, column);
        }
    }
    add_up(table);
}

static double expected(const struct table *table, int row, int column)
{
    return table->row_sums[row] * table->column_sums[column] / table->total;
}

/* `correction` is taken from each distance between count and expectation, but not below zero. */
static double chi_square(const struct table *table, double correction)
{
    double sum = 0.0;
    for (int row = 0; row < table->rows; row++) {
        for (int column = 0; column < table->columns; column++) {
            double wanted = expected(table, row, column);
            double off = fabs(table->counts[row][column] - wanted) - correction;
            if (off > 0.0)
                sum += off * off / wanted;
        }
    }
    return sum;
}

static double g_statistic(const struct table *table)
{
    double sum = 0.0;
    for (int row = 0; row < table->rows; row++) {
        for (int column = 0; column < table->columns; column++) {
            double count = table->counts[row][column];
            if (count > 0.0)
                sum += count * log(count / expected(table, row, column));
        }
    }
    return sum > 0.0 ? 2.0 * sum : 0.0;
}

/* The logarithm of the gamma function at half of a positive whole number. */
static double log_gamma_of_half(int twice)
{
    const double pi = 3.14159265358979323846;
    double sum = twice % 2 == 0 ? 0.0 : 0.5 * log(pi);
    for (int n = twice - 2; n > 0; n -= 2)
        sum += log(n / 2.0);
    return sum;
}

/* The lower incomplete gamma function, as a part of the whole, by its power series. */
static double lower_gamma(double a, double x, double log_gamma)
{
    double term = 1.0 / a;
    double sum = term;
    for (int n = 1; n < MAX_ROUNDS && term > sum * 1e-12; n++) {
        term *= x / (a + n);
        sum += term;
    }
    return sum * exp(a * log(x) - x - log_gamma);
}

/* The upper one by its continued fraction, evaluated from the far end. */
static double upper_gamma(double a, double x, double log_gamma)
{
    double tail = 0.0;
    for (int n = 60; n > 0; n--)
        tail = n * (n - a) / (x + 2 * n + 1 - a - tail);
    return exp(a * log(x) - x - log_gamma) / (x + 1 - a - tail);
}

/* How probable a chi-square of at least this size is if nothing depends on anything. */
static double probability(double chi, int degrees)
{
    double a = degrees / 2.0;
    double x = chi / 2.0;
    double log_gamma = log_gamma_of_half(degrees);
    double result = 1.0;
    if (x <= 0.0)
        return 1.0;
    if (x > 700.0)
        return 0.0;
    result = x < a + 1.0 ? 1.0 - lower_gamma(a, x, log_gamma) : upper_gamma(a, x, log_gamma);
    if (result < 0.0)
        return 0.0;
    return result > 1.0 ? 1.0 : result;
}

static void print_expected(const struct table *table)
{
    for (int row = 0; row < table->rows; row++) {
        printf("  expected");
        for (int column = 0; column < table->columns; column++)
            printf(" %.2f", expected(table, row, column));
        printf("\n");
    }
}

static void print_two_by_two(const struct table *table)
{
    double diagonal = table->counts[0][0] * table->counts[1][1];
    double other = table->counts[0][1] * table->counts[1][0];
    printf("  yates %.4f\n", chi_square(table, 0.5));
    if (other > 0.0)
        printf("  odds ratio %.4f\n", diagonal / other);
    else
        printf("  odds ratio unbounded\n");
}

static void describe(struct table *table, int number, int show_expected)
{
    int smaller = 0;
    int degrees = 0;
    double chi = 0.0;
    add_up(table);
    printf("table %d: %d by %d, total %.0f\n", number, table->rows, table->columns, table->total);
    leave_out_zeros(table);
    if (table->rows < 2 || table->columns < 2) {
        printf("  nothing to compare\n");
        return;
    }
    if (show_expected)
        print_expected(table);
    smaller = table->rows < table->columns ? table->rows : table->columns;
    degrees = (table->rows - 1) * (table->columns - 1);
    chi = chi_square(table, 0.0);
    printf("  chi-square %.4f\n  g %.4f\n  degrees %d\n", chi, g_statistic(table), degrees);
    printf("  probability %.5g\n", probability(chi, degrees));
    printf("  v %.4f\n", sqrt(chi / (table->total * (smaller - 1))));
    if (table->rows == 2 && table->columns == 2)
        print_two_by_two(table);
}

int main(int argc, char **argv)
{
    static struct table table;
    int show_expected = 0;
    int number = 0;
    enum reading reading = END;
    if (argc == 2 && strcmp(argv[1], "-e") == 0) {
        show_expected = 1;
    } else if (argc != 1) {
        fprintf(stderr, "usage: contingency_table [-e] < tables\n");
        return 2;
    }
    while ((reading = read_table(&table)) == FOUND) {
        number++;
        describe(&table, number, show_expected);
    }
    if (reading == WRONG) {
        fflush(stdout);
        fprintf(stderr, "contingency_table: table %d is not well formed\n", number + 1);
        return 2;
    }
    if (number == 0) {
        fprintf(stderr, "contingency_table: no table\n");
        return 2;
    }
    return 0;
}
