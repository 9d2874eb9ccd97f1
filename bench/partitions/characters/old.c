/* Counts characters of five kinds. Only how many digits there are matters for the exit status. */

int main(int argc, char **argv)
{
	if (argc < 2) return 2;
	int upper = 0, digits = 0, vowels = 0, spaces = 0, marks = 0;
	for (const char *at = argv[1]; *at; at++) {
		if (*at >= 'A' && *at <= 'Z') upper++;
		if (*at >= '0' && *at <= '9') digits++;
		if (*at == 'a' || *at == 'e' || *at == 'i' || *at == 'o' || *at == 'u') vowels++;
		if (*at == ' ') spaces++;
		if (*at == '.' || *at == ',') marks++;
	}
	return digits > 1 ? 5 : 9;
}
