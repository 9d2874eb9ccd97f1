/* Settings, a letter each. The exit status is the size; colour, language and sound are only noted. */

int main(int argc, char **argv)
{
	if (argc < 2) return 99;
	int size = 2, colour = 0, language = 0, sound = 0;
	for (int i = 0; argv[1][i]; i++) {
		char letter = argv[1][i];
		if (letter == 'S') size = 1;
		else if (letter == 'L') size = 4;
		else if (letter == 'r') colour = 1;
		else if (letter == 'g') colour = 2;
		else if (letter == 'b') colour = 3;
		else if (letter == 'd') language = 1;
		else if (letter == 'e') language = 2;
		else if (letter == 'f') language = 3;
		else if (letter == '+' && !sound) sound = 1;
		else if (letter == '-' && sound) sound = 0;
	}
	return size;
}
