struct cursor { const char *s; idx_t at, len; };

static bool
cursor_digit (const struct cursor *c)
{
  return c->at < c->len && c_isdigit (c->s[c->at]);
}

static bool
cursor_other (const struct cursor *c)
{
  return c->at < c->len && !c_isdigit (c->s[c->at]);
}

static void
cursor_skip_zeros (struct cursor *c)
{
  while (c->at < c->len && c->s[c->at] == '0')
    c->at++;
}

static int
verrevcmp (const char *s1, idx_t s1_len, const char *s2, idx_t s2_len)
{
  struct cursor one = { s1, 0, s1_len };
  struct cursor two = { s2, 0, s2_len };
  while (one.at < one.len || two.at < two.len)
    {
      for (; cursor_other (&one) || cursor_other (&two); one.at++, two.at++)
        {
          int diff = order (s1, one.at, s1_len) - order (s2, two.at, s2_len);
          if (diff != 0)
            return diff;
        }
      cursor_skip_zeros (&one);
      cursor_skip_zeros(&two);
      int first_diff = 0;
      for (; cursor_digit (&one) && cursor_digit (&two); one.at++, two.at++)
        if (first_diff == 0)
          first_diff = s1[one.at] - s2[two.at];
      if (cursor_digit (&one))
        return 1;
      if (cursor_digit (&two))
        return -1;
      if (first_diff != 0)
        return first_diff;
    }
  return 0;
}
