#include <stdio.h>

int main(void)
{
    FILE *settings = fopen("settings.ini", "r");
    int width = 8;
    if (settings) {
        if (fscanf(settings, "%d", &width) != 1)
            width = 8;
        fclose(settings);
    }
    printf("%d\n", width);
    return 0;
}
