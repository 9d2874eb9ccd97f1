static
UChar mmed3 ( UChar a, UChar b, UChar c )
{
   UChar least    = a < b ? a : b;
   UChar greatest = a < b ? b : a;
   if (greatest < c) return greatest;
   return least > c ? least : c;
}
