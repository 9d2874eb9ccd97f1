static bool
is_prime (size_t candidate)
{
  size_t divisor;
  for (divisor = 3; divisor * divisor < candidate; divisor += 2)
    if (candidate % divisor == 0)
      return false;
  return candidate % divisor != 0;
}
