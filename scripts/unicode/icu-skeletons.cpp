// Prints the skeleton of every code point that this ICU has assigned, a line each: the code point, the version of
// Unicode that it came with, whether it is default-ignorable, and the code points of its skeleton. The first line has
// the versions of ICU and of Unicode.
#include <cstdio>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uspoof.h>
#include <unicode/uversion.h>

int main() {
  UErrorCode status = U_ZERO_ERROR;
  USpoofChecker *checker = uspoof_open(&status);
  std::printf("%s %s\n", U_ICU_VERSION, U_UNICODE_VERSION);
  for (UChar32 code = 0; code <= 0x10ffff && U_SUCCESS(status); code++) {
    if (U_IS_SURROGATE(code) || u_charType(code) == U_UNASSIGNED) continue;
    UVersionInfo age;
    u_charAge(code, age);
    icu::UnicodeString skeleton;
    uspoof_getSkeletonUnicodeString(checker, 0, icu::UnicodeString(code), skeleton, &status);
    std::printf("%X %d.%d %d", code, age[0], age[1], u_hasBinaryProperty(code, UCHAR_DEFAULT_IGNORABLE_CODE_POINT));
    for (int32_t at = 0; at < skeleton.length(); at = skeleton.moveIndex32(at, 1)) std::printf(" %X", skeleton.char32At(at));
    std::printf("\n");
  }
  uspoof_close(checker);
  if (U_FAILURE(status)) std::fprintf(stderr, "%s\n", u_errorName(status));
  return U_FAILURE(status);
}
