/* A command behind a colon, and a text that is looked at in many ways. The change is in a command that leaves the text alone. */

static int score(const char *text)
{
	int score = 0;
	for (int i = 0; text[i]; i++) {
		char c = text[i];
		if (c >= 'a' && c <= 'z') score += 1;
		else if (c >= 'A' && c <= 'Z') score += 2;
		else if (c >= '0' && c <= '9') score += 3;
		else if (c == '_') score -= 1;
	}
	return score;
}

int main(int argc, char **argv)
{
	if (argc < 3) return 99;
	const char *command = argv[1];
	if (command[0] == ':' && command[1] == 'q') return 3;
	return score(argv[2]);
}
