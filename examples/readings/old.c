/* Small functions over readings of an instrument: the version before. */

/* A value moved into a range. */
int clip(int value, int low, int high)
{
	if (value < low) return low;
	if (value > high) return high;
	return value;
}

/* The largest of some readings, -1 if there are none. */
int peak(const int *readings, int count)
{
	int largest = -1;
	for (int i = 0; i < count; i++)
		if (readings[i] > largest) largest = readings[i];
	return largest;
}

/* A reading in the display's unit. */
int scaled(int reading)
{
	return reading + reading;
}
