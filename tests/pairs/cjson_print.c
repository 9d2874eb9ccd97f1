/* Reads JSON from standard input and prints it again in short form. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"

int main(void)
{
	char input[256];
	size_t length = fread(input, 1, sizeof input, stdin);
	/* Not one byte more than the input has. */
	char *exact = malloc(length ? length : 1);
	memcpy(exact, input, length);
	cJSON *json = cJSON_ParseWithLength(exact, length);
	if (!json) {
		puts("not JSON");
		return 1;
	}
	char *text = cJSON_PrintUnformatted(json);
	puts(text ? text : "not printable");
	free(text);
	cJSON_Delete(json);
	free(exact);
	return 0;
}
