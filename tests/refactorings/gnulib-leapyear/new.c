static bool
leapyear (long_int year)
{
  if (year % 4 != 0)
    return false;
  if (year % 100 != 0)
    return true;
  return (year + TM_YEAR_BASE) % 400 == 0;
}
