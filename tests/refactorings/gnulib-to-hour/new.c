static int
to_hour (intmax_t hours, int meridian)
{
  if (meridian != MERam && meridian != MERpm)
    return hours < 0 || hours > 23 ? -1 : (int) hours;
  if (hours < 1 || hours > 12)
    return -1;
  return hours % 12 + (meridian == MERpm ? 12 : 0);
}
