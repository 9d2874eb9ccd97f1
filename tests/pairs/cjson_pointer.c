/* Prints the part of a fixed document that a JSON pointer names. */
#include <stdio.h>
#include <stdlib.h>

#include "cJSON.h"
#include "cJSON_Utils.h"

int main(int count, char **arguments)
{
	if (count != 2) {
		fprintf(stderr, "usage: cjson_pointer POINTER\n");
		return 2;
	}
	cJSON *document = cJSON_Parse("[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30]");
	cJSON *part = cJSONUtils_GetPointer(document, arguments[1]);
	char *text = part ? cJSON_PrintUnformatted(part) : NULL;
	puts(text ? text : "nothing");
	free(text);
	cJSON_Delete(document);
	return text ? 0 : 1;
}
