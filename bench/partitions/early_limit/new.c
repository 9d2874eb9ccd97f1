/* A level is limited in the beginning; a list of switches is looked at afterwards. Both versions limit alike. */

int main(int argc, char **argv)
{
	if (argc < 3) return 99;
	int level = argv[1][0] - '0', seen = 0;
	if (level >= 6) level = 6;
	if (level < 0) level = 0;
	for (int i = 0; argv[2][i]; i++) {
		char c = argv[2][i];
		if (c == 'v') seen |= 1;
		else if (c == 'q') seen |= 2;
		else if (c == 'x') seen |= 4;
		else if (c == 'z') seen |= 8;
		else return 98;
	}
	return level + 10 * seen;
}
