int counter;
int limit = 3;

void tick(void) { counter++; }

int is_over(int weight)
{
    if (weight < 0)
        return 0;
    return counter >= limit;
}

int main(void) { tick(); return is_over(1); }
