void BZ2_hbAssignCodes ( Int32 *code, UChar *length, Int32 minLen, Int32 maxLen, Int32 alphaSize )
{
   Int32 count[256] = { 0 }, next[256] = { 0 };
   for (Int32 i = 0; i < alphaSize; i++) count[length[i]]++;

   Int32 first = 0;
   for (Int32 n = minLen; n <= maxLen; n++) {
      next[n] = first;
      first = (first + count[n]) << 1;
   }
   for (Int32 i = 0; i < alphaSize; i++)
      if (length[i] >= minLen && length[i] <= maxLen) code[i] = next[length[i]]++;
}
