/* Small functions over readings of an instrument: the version after some tidying up. */

/* A value moved into a range. */
int clip(int value, int low, int high)
{
	int least = value < high ? value : high;
	return least > low ? least : low;
}

/* The largest of some readings, -1 if there are none. */
int peak(const int *readings, int count)
{
	if (count == 0) return -1;
	int largest = readings[0];
	for (int i = 1; i < count; i++)
		if (readings[i] > largest) largest = readings[i];
	return largest;
}

/* A reading in the display's unit. */
int scaled(int reading, int factor)
{
	return reading * factor;
}
