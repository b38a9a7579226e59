// Made by tools/make_character_references.py: do not edit.
#include "html/parser/tokenizer/character_reference_table.hpp"

namespace heddle::html::parser {

// clang-format off
// A name, then what it stands for, over and over.
const char kReferenceText[] =
    "AElig" "\303\206"
    "AMP" "&"
    "Aacute" "\303\201"
    "Abreve" "\304\202"
    "Acirc" "\303\202"
    "Acy" "\320\220"
    "Afr" "\360\235\224\204"
    "Agrave" "\303\200"
    "Alpha" "\316\221"
    "Amacr" "\304\200"
    "And" "\342\251\223"
    "Aogon" "\304\204"
    "Aopf" "\360\235\224\270"
    "ApplyFunction" "\342\201\241"
    "Aring" "\303\205"
    "Ascr" "\360\235\222\234"
    "Assign" "\342\211\224"
    "Atilde" "\303\203"
    "Auml" "\303\204"
    "Backslash" "\342\210\226"
    "Barv" "\342\253\247"
    "Barwed" "\342\214\206"
    "Bcy" "\320\221"
    "Because" "\342\210\265"
    "Bernoullis" "\342\204\254"
    "Beta" "\316\222"
    "Bfr" "\360\235\224\205"
    "Bopf" "\360\235\224\271"
    "Breve" "\313\230"
    "Bscr" "\342\204\254"
    "Bumpeq" "\342\211\216"
    "CHcy" "\320\247"
    "COPY" "\302\251"
    "Cacute" "\304\206"
    "Cap" "\342\213\222"
    "CapitalDifferentialD" "\342\205\205"
    "Cayleys" "\342\204\255"
    "Ccaron" "\304\214"
    "Ccedil" "\303\207"
    "Ccirc" "\304\210"
    "Cconint" "\342\210\260"
    "Cdot" "\304\212"
    "Cedilla" "\302\270"
    "CenterDot" "\302\267"
    "Cfr" "\342\204\255"
    "Chi" "\316\247"
    "CircleDot" "\342\212\231"
    "CircleMinus" "\342\212\226"
    "CirclePlus" "\342\212\225"
    "CircleTimes" "\342\212\227"
    "ClockwiseContourIntegral" "\342\210\262"
    "CloseCurlyDoubleQuote" "\342\200\235"
    "CloseCurlyQuote" "\342\200\231"
    "Colon" "\342\210\267"
    "Colone" "\342\251\264"
    "Congruent" "\342\211\241"
    "Conint" "\342\210\257"
    "ContourIntegral" "\342\210\256"
    "Copf" "\342\204\202"
    "Coproduct" "\342\210\220"
    "CounterClockwiseContourIntegral" "\342\210\263"
    "Cross" "\342\250\257"
    "Cscr" "\360\235\222\236"
    "Cup" "\342\213\223"
    "CupCap" "\342\211\215"
    "DD" "\342\205\205"
    "DDotrahd" "\342\244\221"
    "DJcy" "\320\202"
    "DScy" "\320\205"
    "DZcy" "\320\217"
    "Dagger" "\342\200\241"
    "Darr" "\342\206\241"
    "Dashv" "\342\253\244"
    "Dcaron" "\304\216"
    "Dcy" "\320\224"
    "Del" "\342\210\207"
    "Delta" "\316\224"
    "Dfr" "\360\235\224\207"
    "DiacriticalAcute" "\302\264"
    "DiacriticalDot" "\313\231"
    "DiacriticalDoubleAcute" "\313\235"
    "DiacriticalGrave" "`"
    "DiacriticalTilde" "\313\234"
    "Diamond" "\342\213\204"
    "DifferentialD" "\342\205\206"
    "Dopf" "\360\235\224\273"
    "Dot" "\302\250"
    "DotDot" "\342\203\234"
    "DotEqual" "\342\211\220"
    "DoubleContourIntegral" "\342\210\257"
    "DoubleDot" "\302\250"
    "DoubleDownArrow" "\342\207\223"
    "DoubleLeftArrow" "\342\207\220"
    "DoubleLeftRightArrow" "\342\207\224"
    "DoubleLeftTee" "\342\253\244"
    "DoubleLongLeftArrow" "\342\237\270"
    "DoubleLongLeftRightArrow" "\342\237\272"
    "DoubleLongRightArrow" "\342\237\271"
    "DoubleRightArrow" "\342\207\222"
    "DoubleRightTee" "\342\212\250"
    "DoubleUpArrow" "\342\207\221"
    "DoubleUpDownArrow" "\342\207\225"
    "DoubleVerticalBar" "\342\210\245"
    "DownArrow" "\342\206\223"
    "DownArrowBar" "\342\244\223"
    "DownArrowUpArrow" "\342\207\265"
    "DownBreve" "\314\221"
    "DownLeftRightVector" "\342\245\220"
    "DownLeftTeeVector" "\342\245\236"
    "DownLeftVector" "\342\206\275"
    "DownLeftVectorBar" "\342\245\226"
    "DownRightTeeVector" "\342\245\237"
    "DownRightVector" "\342\207\201"
    "DownRightVectorBar" "\342\245\227"
    "DownTee" "\342\212\244"
    "DownTeeArrow" "\342\206\247"
    "Downarrow" "\342\207\223"
    "Dscr" "\360\235\222\237"
    "Dstrok" "\304\220"
    "ENG" "\305\212"
    "ETH" "\303\220"
    "Eacute" "\303\211"
    "Ecaron" "\304\232"
    "Ecirc" "\303\212"
    "Ecy" "\320\255"
    "Edot" "\304\226"
    "Efr" "\360\235\224\210"
    "Egrave" "\303\210"
    "Element" "\342\210\210"
    "Emacr" "\304\222"
    "EmptySmallSquare" "\342\227\273"
    "EmptyVerySmallSquare" "\342\226\253"
    "Eogon" "\304\230"
    "Eopf" "\360\235\224\274"
    "Epsilon" "\316\225"
    "Equal" "\342\251\265"
    "EqualTilde" "\342\211\202"
    "Equilibrium" "\342\207\214"
    "Escr" "\342\204\260"
    "Esim" "\342\251\263"
    "Eta" "\316\227"
    "Euml" "\303\213"
    "Exists" "\342\210\203"
    "ExponentialE" "\342\205\207"
    "Fcy" "\320\244"
    "Ffr" "\360\235\224\211"
    "FilledSmallSquare" "\342\227\274"
    "FilledVerySmallSquare" "\342\226\252"
    "Fopf" "\360\235\224\275"
    "ForAll" "\342\210\200"
    "Fouriertrf" "\342\204\261"
    "Fscr" "\342\204\261"
    "GJcy" "\320\203"
    "GT" ">"
    "Gamma" "\316\223"
    "Gammad" "\317\234"
    "Gbreve" "\304\236"
    "Gcedil" "\304\242"
    "Gcirc" "\304\234"
    "Gcy" "\320\223"
    "Gdot" "\304\240"
    "Gfr" "\360\235\224\212"
    "Gg" "\342\213\231"
    "Gopf" "\360\235\224\276"
    "GreaterEqual" "\342\211\245"
    "GreaterEqualLess" "\342\213\233"
    "GreaterFullEqual" "\342\211\247"
    "GreaterGreater" "\342\252\242"
    "GreaterLess" "\342\211\267"
    "GreaterSlantEqual" "\342\251\276"
    "GreaterTilde" "\342\211\263"
    "Gscr" "\360\235\222\242"
    "Gt" "\342\211\253"
    "HARDcy" "\320\252"
    "Hacek" "\313\207"
    "Hat" "^"
    "Hcirc" "\304\244"
    "Hfr" "\342\204\214"
    "HilbertSpace" "\342\204\213"
    "Hopf" "\342\204\215"
    "HorizontalLine" "\342\224\200"
    "Hscr" "\342\204\213"
    "Hstrok" "\304\246"
    "HumpDownHump" "\342\211\216"
    "HumpEqual" "\342\211\217"
    "IEcy" "\320\225"
    "IJlig" "\304\262"
    "IOcy" "\320\201"
    "Iacute" "\303\215"
    "Icirc" "\303\216"
    "Icy" "\320\230"
    "Idot" "\304\260"
    "Ifr" "\342\204\221"
    "Igrave" "\303\214"
    "Im" "\342\204\221"
    "Imacr" "\304\252"
    "ImaginaryI" "\342\205\210"
    "Implies" "\342\207\222"
    "Int" "\342\210\254"
    "Integral" "\342\210\253"
    "Intersection" "\342\213\202"
    "InvisibleComma" "\342\201\243"
    "InvisibleTimes" "\342\201\242"
    "Iogon" "\304\256"
    "Iopf" "\360\235\225\200"
    "Iota" "\316\231"
    "Iscr" "\342\204\220"
    "Itilde" "\304\250"
    "Iukcy" "\320\206"
    "Iuml" "\303\217"
    "Jcirc" "\304\264"
    "Jcy" "\320\231"
    "Jfr" "\360\235\224\215"
    "Jopf" "\360\235\225\201"
    "Jscr" "\360\235\222\245"
    "Jsercy" "\320\210"
    "Jukcy" "\320\204"
    "KHcy" "\320\245"
    "KJcy" "\320\214"
    "Kappa" "\316\232"
    "Kcedil" "\304\266"
    "Kcy" "\320\232"
    "Kfr" "\360\235\224\216"
    "Kopf" "\360\235\225\202"
    "Kscr" "\360\235\222\246"
    "LJcy" "\320\211"
    "LT" "<"
    "Lacute" "\304\271"
    "Lambda" "\316\233"
    "Lang" "\342\237\252"
    "Laplacetrf" "\342\204\222"
    "Larr" "\342\206\236"
    "Lcaron" "\304\275"
    "Lcedil" "\304\273"
    "Lcy" "\320\233"
    "LeftAngleBracket" "\342\237\250"
    "LeftArrow" "\342\206\220"
    "LeftArrowBar" "\342\207\244"
    "LeftArrowRightArrow" "\342\207\206"
    "LeftCeiling" "\342\214\210"
    "LeftDoubleBracket" "\342\237\246"
    "LeftDownTeeVector" "\342\245\241"
    "LeftDownVector" "\342\207\203"
    "LeftDownVectorBar" "\342\245\231"
    "LeftFloor" "\342\214\212"
    "LeftRightArrow" "\342\206\224"
    "LeftRightVector" "\342\245\216"
    "LeftTee" "\342\212\243"
    "LeftTeeArrow" "\342\206\244"
    "LeftTeeVector" "\342\245\232"
    "LeftTriangle" "\342\212\262"
    "LeftTriangleBar" "\342\247\217"
    "LeftTriangleEqual" "\342\212\264"
    "LeftUpDownVector" "\342\245\221"
    "LeftUpTeeVector" "\342\245\240"
    "LeftUpVector" "\342\206\277"
    "LeftUpVectorBar" "\342\245\230"
    "LeftVector" "\342\206\274"
    "LeftVectorBar" "\342\245\222"
    "Leftarrow" "\342\207\220"
    "Leftrightarrow" "\342\207\224"
    "LessEqualGreater" "\342\213\232"
    "LessFullEqual" "\342\211\246"
    "LessGreater" "\342\211\266"
    "LessLess" "\342\252\241"
    "LessSlantEqual" "\342\251\275"
    "LessTilde" "\342\211\262"
    "Lfr" "\360\235\224\217"
    "Ll" "\342\213\230"
    "Lleftarrow" "\342\207\232"
    "Lmidot" "\304\277"
    "LongLeftArrow" "\342\237\265"
    "LongLeftRightArrow" "\342\237\267"
    "LongRightArrow" "\342\237\266"
    "Longleftarrow" "\342\237\270"
    "Longleftrightarrow" "\342\237\272"
    "Longrightarrow" "\342\237\271"
    "Lopf" "\360\235\225\203"
    "LowerLeftArrow" "\342\206\231"
    "LowerRightArrow" "\342\206\230"
    "Lscr" "\342\204\222"
    "Lsh" "\342\206\260"
    "Lstrok" "\305\201"
    "Lt" "\342\211\252"
    "Map" "\342\244\205"
    "Mcy" "\320\234"
    "MediumSpace" "\342\201\237"
    "Mellintrf" "\342\204\263"
    "Mfr" "\360\235\224\220"
    "MinusPlus" "\342\210\223"
    "Mopf" "\360\235\225\204"
    "Mscr" "\342\204\263"
    "Mu" "\316\234"
    "NJcy" "\320\212"
    "Nacute" "\305\203"
    "Ncaron" "\305\207"
    "Ncedil" "\305\205"
    "Ncy" "\320\235"
    "NegativeMediumSpace" "\342\200\213"
    "NegativeThickSpace" "\342\200\213"
    "NegativeThinSpace" "\342\200\213"
    "NegativeVeryThinSpace" "\342\200\213"
    "NestedGreaterGreater" "\342\211\253"
    "NestedLessLess" "\342\211\252"
    "NewLine" "\012"
    "Nfr" "\360\235\224\221"
    "NoBreak" "\342\201\240"
    "NonBreakingSpace" "\302\240"
    "Nopf" "\342\204\225"
    "Not" "\342\253\254"
    "NotCongruent" "\342\211\242"
    "NotCupCap" "\342\211\255"
    "NotDoubleVerticalBar" "\342\210\246"
    "NotElement" "\342\210\211"
    "NotEqual" "\342\211\240"
    "NotEqualTilde" "\342\211\202\314\270"
    "NotExists" "\342\210\204"
    "NotGreater" "\342\211\257"
    "NotGreaterEqual" "\342\211\261"
    "NotGreaterFullEqual" "\342\211\247\314\270"
    "NotGreaterGreater" "\342\211\253\314\270"
    "NotGreaterLess" "\342\211\271"
    "NotGreaterSlantEqual" "\342\251\276\314\270"
    "NotGreaterTilde" "\342\211\265"
    "NotHumpDownHump" "\342\211\216\314\270"
    "NotHumpEqual" "\342\211\217\314\270"
    "NotLeftTriangle" "\342\213\252"
    "NotLeftTriangleBar" "\342\247\217\314\270"
    "NotLeftTriangleEqual" "\342\213\254"
    "NotLess" "\342\211\256"
    "NotLessEqual" "\342\211\260"
    "NotLessGreater" "\342\211\270"
    "NotLessLess" "\342\211\252\314\270"
    "NotLessSlantEqual" "\342\251\275\314\270"
    "NotLessTilde" "\342\211\264"
    "NotNestedGreaterGreater" "\342\252\242\314\270"
    "NotNestedLessLess" "\342\252\241\314\270"
    "NotPrecedes" "\342\212\200"
    "NotPrecedesEqual" "\342\252\257\314\270"
    "NotPrecedesSlantEqual" "\342\213\240"
    "NotReverseElement" "\342\210\214"
    "NotRightTriangle" "\342\213\253"
    "NotRightTriangleBar" "\342\247\220\314\270"
    "NotRightTriangleEqual" "\342\213\255"
    "NotSquareSubset" "\342\212\217\314\270"
    "NotSquareSubsetEqual" "\342\213\242"
    "NotSquareSuperset" "\342\212\220\314\270"
    "NotSquareSupersetEqual" "\342\213\243"
    "NotSubset" "\342\212\202\342\203\222"
    "NotSubsetEqual" "\342\212\210"
    "NotSucceeds" "\342\212\201"
    "NotSucceedsEqual" "\342\252\260\314\270"
    "NotSucceedsSlantEqual" "\342\213\241"
    "NotSucceedsTilde" "\342\211\277\314\270"
    "NotSuperset" "\342\212\203\342\203\222"
    "NotSupersetEqual" "\342\212\211"
    "NotTilde" "\342\211\201"
    "NotTildeEqual" "\342\211\204"
    "NotTildeFullEqual" "\342\211\207"
    "NotTildeTilde" "\342\211\211"
    "NotVerticalBar" "\342\210\244"
    "Nscr" "\360\235\222\251"
    "Ntilde" "\303\221"
    "Nu" "\316\235"
    "OElig" "\305\222"
    "Oacute" "\303\223"
    "Ocirc" "\303\224"
    "Ocy" "\320\236"
    "Odblac" "\305\220"
    "Ofr" "\360\235\224\222"
    "Ograve" "\303\222"
    "Omacr" "\305\214"
    "Omega" "\316\251"
    "Omicron" "\316\237"
    "Oopf" "\360\235\225\206"
    "OpenCurlyDoubleQuote" "\342\200\234"
    "OpenCurlyQuote" "\342\200\230"
    "Or" "\342\251\224"
    "Oscr" "\360\235\222\252"
    "Oslash" "\303\230"
    "Otilde" "\303\225"
    "Otimes" "\342\250\267"
    "Ouml" "\303\226"
    "OverBar" "\342\200\276"
    "OverBrace" "\342\217\236"
    "OverBracket" "\342\216\264"
    "OverParenthesis" "\342\217\234"
    "PartialD" "\342\210\202"
    "Pcy" "\320\237"
    "Pfr" "\360\235\224\223"
    "Phi" "\316\246"
    "Pi" "\316\240"
    "PlusMinus" "\302\261"
    "Poincareplane" "\342\204\214"
    "Popf" "\342\204\231"
    "Pr" "\342\252\273"
    "Precedes" "\342\211\272"
    "PrecedesEqual" "\342\252\257"
    "PrecedesSlantEqual" "\342\211\274"
    "PrecedesTilde" "\342\211\276"
    "Prime" "\342\200\263"
    "Product" "\342\210\217"
    "Proportion" "\342\210\267"
    "Proportional" "\342\210\235"
    "Pscr" "\360\235\222\253"
    "Psi" "\316\250"
    "QUOT" "\042"
    "Qfr" "\360\235\224\224"
    "Qopf" "\342\204\232"
    "Qscr" "\360\235\222\254"
    "RBarr" "\342\244\220"
    "REG" "\302\256"
    "Racute" "\305\224"
    "Rang" "\342\237\253"
    "Rarr" "\342\206\240"
    "Rarrtl" "\342\244\226"
    "Rcaron" "\305\230"
    "Rcedil" "\305\226"
    "Rcy" "\320\240"
    "Re" "\342\204\234"
    "ReverseElement" "\342\210\213"
    "ReverseEquilibrium" "\342\207\213"
    "ReverseUpEquilibrium" "\342\245\257"
    "Rfr" "\342\204\234"
    "Rho" "\316\241"
    "RightAngleBracket" "\342\237\251"
    "RightArrow" "\342\206\222"
    "RightArrowBar" "\342\207\245"
    "RightArrowLeftArrow" "\342\207\204"
    "RightCeiling" "\342\214\211"
    "RightDoubleBracket" "\342\237\247"
    "RightDownTeeVector" "\342\245\235"
    "RightDownVector" "\342\207\202"
    "RightDownVectorBar" "\342\245\225"
    "RightFloor" "\342\214\213"
    "RightTee" "\342\212\242"
    "RightTeeArrow" "\342\206\246"
    "RightTeeVector" "\342\245\233"
    "RightTriangle" "\342\212\263"
    "RightTriangleBar" "\342\247\220"
    "RightTriangleEqual" "\342\212\265"
    "RightUpDownVector" "\342\245\217"
    "RightUpTeeVector" "\342\245\234"
    "RightUpVector" "\342\206\276"
    "RightUpVectorBar" "\342\245\224"
    "RightVector" "\342\207\200"
    "RightVectorBar" "\342\245\223"
    "Rightarrow" "\342\207\222"
    "Ropf" "\342\204\235"
    "RoundImplies" "\342\245\260"
    "Rrightarrow" "\342\207\233"
    "Rscr" "\342\204\233"
    "Rsh" "\342\206\261"
    "RuleDelayed" "\342\247\264"
    "SHCHcy" "\320\251"
    "SHcy" "\320\250"
    "SOFTcy" "\320\254"
    "Sacute" "\305\232"
    "Sc" "\342\252\274"
    "Scaron" "\305\240"
    "Scedil" "\305\236"
    "Scirc" "\305\234"
    "Scy" "\320\241"
    "Sfr" "\360\235\224\226"
    "ShortDownArrow" "\342\206\223"
    "ShortLeftArrow" "\342\206\220"
    "ShortRightArrow" "\342\206\222"
    "ShortUpArrow" "\342\206\221"
    "Sigma" "\316\243"
    "SmallCircle" "\342\210\230"
    "Sopf" "\360\235\225\212"
    "Sqrt" "\342\210\232"
    "Square" "\342\226\241"
    "SquareIntersection" "\342\212\223"
    "SquareSubset" "\342\212\217"
    "SquareSubsetEqual" "\342\212\221"
    "SquareSuperset" "\342\212\220"
    "SquareSupersetEqual" "\342\212\222"
    "SquareUnion" "\342\212\224"
    "Sscr" "\360\235\222\256"
    "Star" "\342\213\206"
    "Sub" "\342\213\220"
    "Subset" "\342\213\220"
    "SubsetEqual" "\342\212\206"
    "Succeeds" "\342\211\273"
    "SucceedsEqual" "\342\252\260"
    "SucceedsSlantEqual" "\342\211\275"
    "SucceedsTilde" "\342\211\277"
    "SuchThat" "\342\210\213"
    "Sum" "\342\210\221"
    "Sup" "\342\213\221"
    "Superset" "\342\212\203"
    "SupersetEqual" "\342\212\207"
    "Supset" "\342\213\221"
    "THORN" "\303\236"
    "TRADE" "\342\204\242"
    "TSHcy" "\320\213"
    "TScy" "\320\246"
    "Tab" "\011"
    "Tau" "\316\244"
    "Tcaron" "\305\244"
    "Tcedil" "\305\242"
    "Tcy" "\320\242"
    "Tfr" "\360\235\224\227"
    "Therefore" "\342\210\264"
    "Theta" "\316\230"
    "ThickSpace" "\342\201\237\342\200\212"
    "ThinSpace" "\342\200\211"
    "Tilde" "\342\210\274"
    "TildeEqual" "\342\211\203"
    "TildeFullEqual" "\342\211\205"
    "TildeTilde" "\342\211\210"
    "Topf" "\360\235\225\213"
    "TripleDot" "\342\203\233"
    "Tscr" "\360\235\222\257"
    "Tstrok" "\305\246"
    "Uacute" "\303\232"
    "Uarr" "\342\206\237"
    "Uarrocir" "\342\245\211"
    "Ubrcy" "\320\216"
    "Ubreve" "\305\254"
    "Ucirc" "\303\233"
    "Ucy" "\320\243"
    "Udblac" "\305\260"
    "Ufr" "\360\235\224\230"
    "Ugrave" "\303\231"
    "Umacr" "\305\252"
    "UnderBar" "_"
    "UnderBrace" "\342\217\237"
    "UnderBracket" "\342\216\265"
    "UnderParenthesis" "\342\217\235"
    "Union" "\342\213\203"
    "UnionPlus" "\342\212\216"
    "Uogon" "\305\262"
    "Uopf" "\360\235\225\214"
    "UpArrow" "\342\206\221"
    "UpArrowBar" "\342\244\222"
    "UpArrowDownArrow" "\342\207\205"
    "UpDownArrow" "\342\206\225"
    "UpEquilibrium" "\342\245\256"
    "UpTee" "\342\212\245"
    "UpTeeArrow" "\342\206\245"
    "Uparrow" "\342\207\221"
    "Updownarrow" "\342\207\225"
    "UpperLeftArrow" "\342\206\226"
    "UpperRightArrow" "\342\206\227"
    "Upsi" "\317\222"
    "Upsilon" "\316\245"
    "Uring" "\305\256"
    "Uscr" "\360\235\222\260"
    "Utilde" "\305\250"
    "Uuml" "\303\234"
    "VDash" "\342\212\253"
    "Vbar" "\342\253\253"
    "Vcy" "\320\222"
    "Vdash" "\342\212\251"
    "Vdashl" "\342\253\246"
    "Vee" "\342\213\201"
    "Verbar" "\342\200\226"
    "Vert" "\342\200\226"
    "VerticalBar" "\342\210\243"
    "VerticalLine" "|"
    "VerticalSeparator" "\342\235\230"
    "VerticalTilde" "\342\211\200"
    "VeryThinSpace" "\342\200\212"
    "Vfr" "\360\235\224\231"
    "Vopf" "\360\235\225\215"
    "Vscr" "\360\235\222\261"
    "Vvdash" "\342\212\252"
    "Wcirc" "\305\264"
    "Wedge" "\342\213\200"
    "Wfr" "\360\235\224\232"
    "Wopf" "\360\235\225\216"
    "Wscr" "\360\235\222\262"
    "Xfr" "\360\235\224\233"
    "Xi" "\316\236"
    "Xopf" "\360\235\225\217"
    "Xscr" "\360\235\222\263"
    "YAcy" "\320\257"
    "YIcy" "\320\207"
    "YUcy" "\320\256"
    "Yacute" "\303\235"
    "Ycirc" "\305\266"
    "Ycy" "\320\253"
    "Yfr" "\360\235\224\234"
    "Yopf" "\360\235\225\220"
    "Yscr" "\360\235\222\264"
    "Yuml" "\305\270"
    "ZHcy" "\320\226"
    "Zacute" "\305\271"
    "Zcaron" "\305\275"
    "Zcy" "\320\227"
    "Zdot" "\305\273"
    "ZeroWidthSpace" "\342\200\213"
    "Zeta" "\316\226"
    "Zfr" "\342\204\250"
    "Zopf" "\342\204\244"
    "Zscr" "\360\235\222\265"
    "aacute" "\303\241"
    "abreve" "\304\203"
    "ac" "\342\210\276"
    "acE" "\342\210\276\314\263"
    "acd" "\342\210\277"
    "acirc" "\303\242"
    "acute" "\302\264"
    "acy" "\320\260"
    "aelig" "\303\246"
    "af" "\342\201\241"
    "afr" "\360\235\224\236"
    "agrave" "\303\240"
    "alefsym" "\342\204\265"
    "aleph" "\342\204\265"
    "alpha" "\316\261"
    "amacr" "\304\201"
    "amalg" "\342\250\277"
    "amp" "&"
    "and" "\342\210\247"
    "andand" "\342\251\225"
    "andd" "\342\251\234"
    "andslope" "\342\251\230"
    "andv" "\342\251\232"
    "ang" "\342\210\240"
    "ange" "\342\246\244"
    "angle" "\342\210\240"
    "angmsd" "\342\210\241"
    "angmsdaa" "\342\246\250"
    "angmsdab" "\342\246\251"
    "angmsdac" "\342\246\252"
    "angmsdad" "\342\246\253"
    "angmsdae" "\342\246\254"
    "angmsdaf" "\342\246\255"
    "angmsdag" "\342\246\256"
    "angmsdah" "\342\246\257"
    "angrt" "\342\210\237"
    "angrtvb" "\342\212\276"
    "angrtvbd" "\342\246\235"
    "angsph" "\342\210\242"
    "angst" "\303\205"
    "angzarr" "\342\215\274"
    "aogon" "\304\205"
    "aopf" "\360\235\225\222"
    "ap" "\342\211\210"
    "apE" "\342\251\260"
    "apacir" "\342\251\257"
    "ape" "\342\211\212"
    "apid" "\342\211\213"
    "apos" "'"
    "approx" "\342\211\210"
    "approxeq" "\342\211\212"
    "aring" "\303\245"
    "ascr" "\360\235\222\266"
    "ast" "*"
    "asymp" "\342\211\210"
    "asympeq" "\342\211\215"
    "atilde" "\303\243"
    "auml" "\303\244"
    "awconint" "\342\210\263"
    "awint" "\342\250\221"
    "bNot" "\342\253\255"
    "backcong" "\342\211\214"
    "backepsilon" "\317\266"
    "backprime" "\342\200\265"
    "backsim" "\342\210\275"
    "backsimeq" "\342\213\215"
    "barvee" "\342\212\275"
    "barwed" "\342\214\205"
    "barwedge" "\342\214\205"
    "bbrk" "\342\216\265"
    "bbrktbrk" "\342\216\266"
    "bcong" "\342\211\214"
    "bcy" "\320\261"
    "bdquo" "\342\200\236"
    "becaus" "\342\210\265"
    "because" "\342\210\265"
    "bemptyv" "\342\246\260"
    "bepsi" "\317\266"
    "bernou" "\342\204\254"
    "beta" "\316\262"
    "beth" "\342\204\266"
    "between" "\342\211\254"
    "bfr" "\360\235\224\237"
    "bigcap" "\342\213\202"
    "bigcirc" "\342\227\257"
    "bigcup" "\342\213\203"
    "bigodot" "\342\250\200"
    "bigoplus" "\342\250\201"
    "bigotimes" "\342\250\202"
    "bigsqcup" "\342\250\206"
    "bigstar" "\342\230\205"
    "bigtriangledown" "\342\226\275"
    "bigtriangleup" "\342\226\263"
    "biguplus" "\342\250\204"
    "bigvee" "\342\213\201"
    "bigwedge" "\342\213\200"
    "bkarow" "\342\244\215"
    "blacklozenge" "\342\247\253"
    "blacksquare" "\342\226\252"
    "blacktriangle" "\342\226\264"
    "blacktriangledown" "\342\226\276"
    "blacktriangleleft" "\342\227\202"
    "blacktriangleright" "\342\226\270"
    "blank" "\342\220\243"
    "blk12" "\342\226\222"
    "blk14" "\342\226\221"
    "blk34" "\342\226\223"
    "block" "\342\226\210"
    "bne" "=\342\203\245"
    "bnequiv" "\342\211\241\342\203\245"
    "bnot" "\342\214\220"
    "bopf" "\360\235\225\223"
    "bot" "\342\212\245"
    "bottom" "\342\212\245"
    "bowtie" "\342\213\210"
    "boxDL" "\342\225\227"
    "boxDR" "\342\225\224"
    "boxDl" "\342\225\226"
    "boxDr" "\342\225\223"
    "boxH" "\342\225\220"
    "boxHD" "\342\225\246"
    "boxHU" "\342\225\251"
    "boxHd" "\342\225\244"
    "boxHu" "\342\225\247"
    "boxUL" "\342\225\235"
    "boxUR" "\342\225\232"
    "boxUl" "\342\225\234"
    "boxUr" "\342\225\231"
    "boxV" "\342\225\221"
    "boxVH" "\342\225\254"
    "boxVL" "\342\225\243"
    "boxVR" "\342\225\240"
    "boxVh" "\342\225\253"
    "boxVl" "\342\225\242"
    "boxVr" "\342\225\237"
    "boxbox" "\342\247\211"
    "boxdL" "\342\225\225"
    "boxdR" "\342\225\222"
    "boxdl" "\342\224\220"
    "boxdr" "\342\224\214"
    "boxh" "\342\224\200"
    "boxhD" "\342\225\245"
    "boxhU" "\342\225\250"
    "boxhd" "\342\224\254"
    "boxhu" "\342\224\264"
    "boxminus" "\342\212\237"
    "boxplus" "\342\212\236"
    "boxtimes" "\342\212\240"
    "boxuL" "\342\225\233"
    "boxuR" "\342\225\230"
    "boxul" "\342\224\230"
    "boxur" "\342\224\224"
    "boxv" "\342\224\202"
    "boxvH" "\342\225\252"
    "boxvL" "\342\225\241"
    "boxvR" "\342\225\236"
    "boxvh" "\342\224\274"
    "boxvl" "\342\224\244"
    "boxvr" "\342\224\234"
    "bprime" "\342\200\265"
    "breve" "\313\230"
    "brvbar" "\302\246"
    "bscr" "\360\235\222\267"
    "bsemi" "\342\201\217"
    "bsim" "\342\210\275"
    "bsime" "\342\213\215"
    "bsol" "\134"
    "bsolb" "\342\247\205"
    "bsolhsub" "\342\237\210"
    "bull" "\342\200\242"
    "bullet" "\342\200\242"
    "bump" "\342\211\216"
    "bumpE" "\342\252\256"
    "bumpe" "\342\211\217"
    "bumpeq" "\342\211\217"
    "cacute" "\304\207"
    "cap" "\342\210\251"
    "capand" "\342\251\204"
    "capbrcup" "\342\251\211"
    "capcap" "\342\251\213"
    "capcup" "\342\251\207"
    "capdot" "\342\251\200"
    "caps" "\342\210\251\357\270\200"
    "caret" "\342\201\201"
    "caron" "\313\207"
    "ccaps" "\342\251\215"
    "ccaron" "\304\215"
    "ccedil" "\303\247"
    "ccirc" "\304\211"
    "ccups" "\342\251\214"
    "ccupssm" "\342\251\220"
    "cdot" "\304\213"
    "cedil" "\302\270"
    "cemptyv" "\342\246\262"
    "cent" "\302\242"
    "centerdot" "\302\267"
    "cfr" "\360\235\224\240"
    "chcy" "\321\207"
    "check" "\342\234\223"
    "checkmark" "\342\234\223"
    "chi" "\317\207"
    "cir" "\342\227\213"
    "cirE" "\342\247\203"
    "circ" "\313\206"
    "circeq" "\342\211\227"
    "circlearrowleft" "\342\206\272"
    "circlearrowright" "\342\206\273"
    "circledR" "\302\256"
    "circledS" "\342\223\210"
    "circledast" "\342\212\233"
    "circledcirc" "\342\212\232"
    "circleddash" "\342\212\235"
    "cire" "\342\211\227"
    "cirfnint" "\342\250\220"
    "cirmid" "\342\253\257"
    "cirscir" "\342\247\202"
    "clubs" "\342\231\243"
    "clubsuit" "\342\231\243"
    "colon" ":"
    "colone" "\342\211\224"
    "coloneq" "\342\211\224"
    "comma" ","
    "commat" "@"
    "comp" "\342\210\201"
    "compfn" "\342\210\230"
    "complement" "\342\210\201"
    "complexes" "\342\204\202"
    "cong" "\342\211\205"
    "congdot" "\342\251\255"
    "conint" "\342\210\256"
    "copf" "\360\235\225\224"
    "coprod" "\342\210\220"
    "copy" "\302\251"
    "copysr" "\342\204\227"
    "crarr" "\342\206\265"
    "cross" "\342\234\227"
    "cscr" "\360\235\222\270"
    "csub" "\342\253\217"
    "csube" "\342\253\221"
    "csup" "\342\253\220"
    "csupe" "\342\253\222"
    "ctdot" "\342\213\257"
    "cudarrl" "\342\244\270"
    "cudarrr" "\342\244\265"
    "cuepr" "\342\213\236"
    "cuesc" "\342\213\237"
    "cularr" "\342\206\266"
    "cularrp" "\342\244\275"
    "cup" "\342\210\252"
    "cupbrcap" "\342\251\210"
    "cupcap" "\342\251\206"
    "cupcup" "\342\251\212"
    "cupdot" "\342\212\215"
    "cupor" "\342\251\205"
    "cups" "\342\210\252\357\270\200"
    "curarr" "\342\206\267"
    "curarrm" "\342\244\274"
    "curlyeqprec" "\342\213\236"
    "curlyeqsucc" "\342\213\237"
    "curlyvee" "\342\213\216"
    "curlywedge" "\342\213\217"
    "curren" "\302\244"
    "curvearrowleft" "\342\206\266"
    "curvearrowright" "\342\206\267"
    "cuvee" "\342\213\216"
    "cuwed" "\342\213\217"
    "cwconint" "\342\210\262"
    "cwint" "\342\210\261"
    "cylcty" "\342\214\255"
    "dArr" "\342\207\223"
    "dHar" "\342\245\245"
    "dagger" "\342\200\240"
    "daleth" "\342\204\270"
    "darr" "\342\206\223"
    "dash" "\342\200\220"
    "dashv" "\342\212\243"
    "dbkarow" "\342\244\217"
    "dblac" "\313\235"
    "dcaron" "\304\217"
    "dcy" "\320\264"
    "dd" "\342\205\206"
    "ddagger" "\342\200\241"
    "ddarr" "\342\207\212"
    "ddotseq" "\342\251\267"
    "deg" "\302\260"
    "delta" "\316\264"
    "demptyv" "\342\246\261"
    "dfisht" "\342\245\277"
    "dfr" "\360\235\224\241"
    "dharl" "\342\207\203"
    "dharr" "\342\207\202"
    "diam" "\342\213\204"
    "diamond" "\342\213\204"
    "diamondsuit" "\342\231\246"
    "diams" "\342\231\246"
    "die" "\302\250"
    "digamma" "\317\235"
    "disin" "\342\213\262"
    "div" "\303\267"
    "divide" "\303\267"
    "divideontimes" "\342\213\207"
    "divonx" "\342\213\207"
    "djcy" "\321\222"
    "dlcorn" "\342\214\236"
    "dlcrop" "\342\214\215"
    "dollar" "$"
    "dopf" "\360\235\225\225"
    "dot" "\313\231"
    "doteq" "\342\211\220"
    "doteqdot" "\342\211\221"
    "dotminus" "\342\210\270"
    "dotplus" "\342\210\224"
    "dotsquare" "\342\212\241"
    "doublebarwedge" "\342\214\206"
    "downarrow" "\342\206\223"
    "downdownarrows" "\342\207\212"
    "downharpoonleft" "\342\207\203"
    "downharpoonright" "\342\207\202"
    "drbkarow" "\342\244\220"
    "drcorn" "\342\214\237"
    "drcrop" "\342\214\214"
    "dscr" "\360\235\222\271"
    "dscy" "\321\225"
    "dsol" "\342\247\266"
    "dstrok" "\304\221"
    "dtdot" "\342\213\261"
    "dtri" "\342\226\277"
    "dtrif" "\342\226\276"
    "duarr" "\342\207\265"
    "duhar" "\342\245\257"
    "dwangle" "\342\246\246"
    "dzcy" "\321\237"
    "dzigrarr" "\342\237\277"
    "eDDot" "\342\251\267"
    "eDot" "\342\211\221"
    "eacute" "\303\251"
    "easter" "\342\251\256"
    "ecaron" "\304\233"
    "ecir" "\342\211\226"
    "ecirc" "\303\252"
    "ecolon" "\342\211\225"
    "ecy" "\321\215"
    "edot" "\304\227"
    "ee" "\342\205\207"
    "efDot" "\342\211\222"
    "efr" "\360\235\224\242"
    "eg" "\342\252\232"
    "egrave" "\303\250"
    "egs" "\342\252\226"
    "egsdot" "\342\252\230"
    "el" "\342\252\231"
    "elinters" "\342\217\247"
    "ell" "\342\204\223"
    "els" "\342\252\225"
    "elsdot" "\342\252\227"
    "emacr" "\304\223"
    "empty" "\342\210\205"
    "emptyset" "\342\210\205"
    "emptyv" "\342\210\205"
    "emsp" "\342\200\203"
    "emsp13" "\342\200\204"
    "emsp14" "\342\200\205"
    "eng" "\305\213"
    "ensp" "\342\200\202"
    "eogon" "\304\231"
    "eopf" "\360\235\225\226"
    "epar" "\342\213\225"
    "eparsl" "\342\247\243"
    "eplus" "\342\251\261"
    "epsi" "\316\265"
    "epsilon" "\316\265"
    "epsiv" "\317\265"
    "eqcirc" "\342\211\226"
    "eqcolon" "\342\211\225"
    "eqsim" "\342\211\202"
    "eqslantgtr" "\342\252\226"
    "eqslantless" "\342\252\225"
    "equals" "="
    "equest" "\342\211\237"
    "equiv" "\342\211\241"
    "equivDD" "\342\251\270"
    "eqvparsl" "\342\247\245"
    "erDot" "\342\211\223"
    "erarr" "\342\245\261"
    "escr" "\342\204\257"
    "esdot" "\342\211\220"
    "esim" "\342\211\202"
    "eta" "\316\267"
    "eth" "\303\260"
    "euml" "\303\253"
    "euro" "\342\202\254"
    "excl" "!"
    "exist" "\342\210\203"
    "expectation" "\342\204\260"
    "exponentiale" "\342\205\207"
    "fallingdotseq" "\342\211\222"
    "fcy" "\321\204"
    "female" "\342\231\200"
    "ffilig" "\357\254\203"
    "fflig" "\357\254\200"
    "ffllig" "\357\254\204"
    "ffr" "\360\235\224\243"
    "filig" "\357\254\201"
    "fjlig" "fj"
    "flat" "\342\231\255"
    "fllig" "\357\254\202"
    "fltns" "\342\226\261"
    "fnof" "\306\222"
    "fopf" "\360\235\225\227"
    "forall" "\342\210\200"
    "fork" "\342\213\224"
    "forkv" "\342\253\231"
    "fpartint" "\342\250\215"
    "frac12" "\302\275"
    "frac13" "\342\205\223"
    "frac14" "\302\274"
    "frac15" "\342\205\225"
    "frac16" "\342\205\231"
    "frac18" "\342\205\233"
    "frac23" "\342\205\224"
    "frac25" "\342\205\226"
    "frac34" "\302\276"
    "frac35" "\342\205\227"
    "frac38" "\342\205\234"
    "frac45" "\342\205\230"
    "frac56" "\342\205\232"
    "frac58" "\342\205\235"
    "frac78" "\342\205\236"
    "frasl" "\342\201\204"
    "frown" "\342\214\242"
    "fscr" "\360\235\222\273"
    "gE" "\342\211\247"
    "gEl" "\342\252\214"
    "gacute" "\307\265"
    "gamma" "\316\263"
    "gammad" "\317\235"
    "gap" "\342\252\206"
    "gbreve" "\304\237"
    "gcirc" "\304\235"
    "gcy" "\320\263"
    "gdot" "\304\241"
    "ge" "\342\211\245"
    "gel" "\342\213\233"
    "geq" "\342\211\245"
    "geqq" "\342\211\247"
    "geqslant" "\342\251\276"
    "ges" "\342\251\276"
    "gescc" "\342\252\251"
    "gesdot" "\342\252\200"
    "gesdoto" "\342\252\202"
    "gesdotol" "\342\252\204"
    "gesl" "\342\213\233\357\270\200"
    "gesles" "\342\252\224"
    "gfr" "\360\235\224\244"
    "gg" "\342\211\253"
    "ggg" "\342\213\231"
    "gimel" "\342\204\267"
    "gjcy" "\321\223"
    "gl" "\342\211\267"
    "glE" "\342\252\222"
    "gla" "\342\252\245"
    "glj" "\342\252\244"
    "gnE" "\342\211\251"
    "gnap" "\342\252\212"
    "gnapprox" "\342\252\212"
    "gne" "\342\252\210"
    "gneq" "\342\252\210"
    "gneqq" "\342\211\251"
    "gnsim" "\342\213\247"
    "gopf" "\360\235\225\230"
    "grave" "`"
    "gscr" "\342\204\212"
    "gsim" "\342\211\263"
    "gsime" "\342\252\216"
    "gsiml" "\342\252\220"
    "gt" ">"
    "gtcc" "\342\252\247"
    "gtcir" "\342\251\272"
    "gtdot" "\342\213\227"
    "gtlPar" "\342\246\225"
    "gtquest" "\342\251\274"
    "gtrapprox" "\342\252\206"
    "gtrarr" "\342\245\270"
    "gtrdot" "\342\213\227"
    "gtreqless" "\342\213\233"
    "gtreqqless" "\342\252\214"
    "gtrless" "\342\211\267"
    "gtrsim" "\342\211\263"
    "gvertneqq" "\342\211\251\357\270\200"
    "gvnE" "\342\211\251\357\270\200"
    "hArr" "\342\207\224"
    "hairsp" "\342\200\212"
    "half" "\302\275"
    "hamilt" "\342\204\213"
    "hardcy" "\321\212"
    "harr" "\342\206\224"
    "harrcir" "\342\245\210"
    "harrw" "\342\206\255"
    "hbar" "\342\204\217"
    "hcirc" "\304\245"
    "hearts" "\342\231\245"
    "heartsuit" "\342\231\245"
    "hellip" "\342\200\246"
    "hercon" "\342\212\271"
    "hfr" "\360\235\224\245"
    "hksearow" "\342\244\245"
    "hkswarow" "\342\244\246"
    "hoarr" "\342\207\277"
    "homtht" "\342\210\273"
    "hookleftarrow" "\342\206\251"
    "hookrightarrow" "\342\206\252"
    "hopf" "\360\235\225\231"
    "horbar" "\342\200\225"
    "hscr" "\360\235\222\275"
    "hslash" "\342\204\217"
    "hstrok" "\304\247"
    "hybull" "\342\201\203"
    "hyphen" "\342\200\220"
    "iacute" "\303\255"
    "ic" "\342\201\243"
    "icirc" "\303\256"
    "icy" "\320\270"
    "iecy" "\320\265"
    "iexcl" "\302\241"
    "iff" "\342\207\224"
    "ifr" "\360\235\224\246"
    "igrave" "\303\254"
    "ii" "\342\205\210"
    "iiiint" "\342\250\214"
    "iiint" "\342\210\255"
    "iinfin" "\342\247\234"
    "iiota" "\342\204\251"
    "ijlig" "\304\263"
    "imacr" "\304\253"
    "image" "\342\204\221"
    "imagline" "\342\204\220"
    "imagpart" "\342\204\221"
    "imath" "\304\261"
    "imof" "\342\212\267"
    "imped" "\306\265"
    "in" "\342\210\210"
    "incare" "\342\204\205"
    "infin" "\342\210\236"
    "infintie" "\342\247\235"
    "inodot" "\304\261"
    "int" "\342\210\253"
    "intcal" "\342\212\272"
    "integers" "\342\204\244"
    "intercal" "\342\212\272"
    "intlarhk" "\342\250\227"
    "intprod" "\342\250\274"
    "iocy" "\321\221"
    "iogon" "\304\257"
    "iopf" "\360\235\225\232"
    "iota" "\316\271"
    "iprod" "\342\250\274"
    "iquest" "\302\277"
    "iscr" "\360\235\222\276"
    "isin" "\342\210\210"
    "isinE" "\342\213\271"
    "isindot" "\342\213\265"
    "isins" "\342\213\264"
    "isinsv" "\342\213\263"
    "isinv" "\342\210\210"
    "it" "\342\201\242"
    "itilde" "\304\251"
    "iukcy" "\321\226"
    "iuml" "\303\257"
    "jcirc" "\304\265"
    "jcy" "\320\271"
    "jfr" "\360\235\224\247"
    "jmath" "\310\267"
    "jopf" "\360\235\225\233"
    "jscr" "\360\235\222\277"
    "jsercy" "\321\230"
    "jukcy" "\321\224"
    "kappa" "\316\272"
    "kappav" "\317\260"
    "kcedil" "\304\267"
    "kcy" "\320\272"
    "kfr" "\360\235\224\250"
    "kgreen" "\304\270"
    "khcy" "\321\205"
    "kjcy" "\321\234"
    "kopf" "\360\235\225\234"
    "kscr" "\360\235\223\200"
    "lAarr" "\342\207\232"
    "lArr" "\342\207\220"
    "lAtail" "\342\244\233"
    "lBarr" "\342\244\216"
    "lE" "\342\211\246"
    "lEg" "\342\252\213"
    "lHar" "\342\245\242"
    "lacute" "\304\272"
    "laemptyv" "\342\246\264"
    "lagran" "\342\204\222"
    "lambda" "\316\273"
    "lang" "\342\237\250"
    "langd" "\342\246\221"
    "langle" "\342\237\250"
    "lap" "\342\252\205"
    "laquo" "\302\253"
    "larr" "\342\206\220"
    "larrb" "\342\207\244"
    "larrbfs" "\342\244\237"
    "larrfs" "\342\244\235"
    "larrhk" "\342\206\251"
    "larrlp" "\342\206\253"
    "larrpl" "\342\244\271"
    "larrsim" "\342\245\263"
    "larrtl" "\342\206\242"
    "lat" "\342\252\253"
    "latail" "\342\244\231"
    "late" "\342\252\255"
    "lates" "\342\252\255\357\270\200"
    "lbarr" "\342\244\214"
    "lbbrk" "\342\235\262"
    "lbrace" "{"
    "lbrack" "["
    "lbrke" "\342\246\213"
    "lbrksld" "\342\246\217"
    "lbrkslu" "\342\246\215"
    "lcaron" "\304\276"
    "lcedil" "\304\274"
    "lceil" "\342\214\210"
    "lcub" "{"
    "lcy" "\320\273"
    "ldca" "\342\244\266"
    "ldquo" "\342\200\234"
    "ldquor" "\342\200\236"
    "ldrdhar" "\342\245\247"
    "ldrushar" "\342\245\213"
    "ldsh" "\342\206\262"
    "le" "\342\211\244"
    "leftarrow" "\342\206\220"
    "leftarrowtail" "\342\206\242"
    "leftharpoondown" "\342\206\275"
    "leftharpoonup" "\342\206\274"
    "leftleftarrows" "\342\207\207"
    "leftrightarrow" "\342\206\224"
    "leftrightarrows" "\342\207\206"
    "leftrightharpoons" "\342\207\213"
    "leftrightsquigarrow" "\342\206\255"
    "leftthreetimes" "\342\213\213"
    "leg" "\342\213\232"
    "leq" "\342\211\244"
    "leqq" "\342\211\246"
    "leqslant" "\342\251\275"
    "les" "\342\251\275"
    "lescc" "\342\252\250"
    "lesdot" "\342\251\277"
    "lesdoto" "\342\252\201"
    "lesdotor" "\342\252\203"
    "lesg" "\342\213\232\357\270\200"
    "lesges" "\342\252\223"
    "lessapprox" "\342\252\205"
    "lessdot" "\342\213\226"
    "lesseqgtr" "\342\213\232"
    "lesseqqgtr" "\342\252\213"
    "lessgtr" "\342\211\266"
    "lesssim" "\342\211\262"
    "lfisht" "\342\245\274"
    "lfloor" "\342\214\212"
    "lfr" "\360\235\224\251"
    "lg" "\342\211\266"
    "lgE" "\342\252\221"
    "lhard" "\342\206\275"
    "lharu" "\342\206\274"
    "lharul" "\342\245\252"
    "lhblk" "\342\226\204"
    "ljcy" "\321\231"
    "ll" "\342\211\252"
    "llarr" "\342\207\207"
    "llcorner" "\342\214\236"
    "llhard" "\342\245\253"
    "lltri" "\342\227\272"
    "lmidot" "\305\200"
    "lmoust" "\342\216\260"
    "lmoustache" "\342\216\260"
    "lnE" "\342\211\250"
    "lnap" "\342\252\211"
    "lnapprox" "\342\252\211"
    "lne" "\342\252\207"
    "lneq" "\342\252\207"
    "lneqq" "\342\211\250"
    "lnsim" "\342\213\246"
    "loang" "\342\237\254"
    "loarr" "\342\207\275"
    "lobrk" "\342\237\246"
    "longleftarrow" "\342\237\265"
    "longleftrightarrow" "\342\237\267"
    "longmapsto" "\342\237\274"
    "longrightarrow" "\342\237\266"
    "looparrowleft" "\342\206\253"
    "looparrowright" "\342\206\254"
    "lopar" "\342\246\205"
    "lopf" "\360\235\225\235"
    "loplus" "\342\250\255"
    "lotimes" "\342\250\264"
    "lowast" "\342\210\227"
    "lowbar" "_"
    "loz" "\342\227\212"
    "lozenge" "\342\227\212"
    "lozf" "\342\247\253"
    "lpar" "("
    "lparlt" "\342\246\223"
    "lrarr" "\342\207\206"
    "lrcorner" "\342\214\237"
    "lrhar" "\342\207\213"
    "lrhard" "\342\245\255"
    "lrm" "\342\200\216"
    "lrtri" "\342\212\277"
    "lsaquo" "\342\200\271"
    "lscr" "\360\235\223\201"
    "lsh" "\342\206\260"
    "lsim" "\342\211\262"
    "lsime" "\342\252\215"
    "lsimg" "\342\252\217"
    "lsqb" "["
    "lsquo" "\342\200\230"
    "lsquor" "\342\200\232"
    "lstrok" "\305\202"
    "lt" "<"
    "ltcc" "\342\252\246"
    "ltcir" "\342\251\271"
    "ltdot" "\342\213\226"
    "lthree" "\342\213\213"
    "ltimes" "\342\213\211"
    "ltlarr" "\342\245\266"
    "ltquest" "\342\251\273"
    "ltrPar" "\342\246\226"
    "ltri" "\342\227\203"
    "ltrie" "\342\212\264"
    "ltrif" "\342\227\202"
    "lurdshar" "\342\245\212"
    "luruhar" "\342\245\246"
    "lvertneqq" "\342\211\250\357\270\200"
    "lvnE" "\342\211\250\357\270\200"
    "mDDot" "\342\210\272"
    "macr" "\302\257"
    "male" "\342\231\202"
    "malt" "\342\234\240"
    "maltese" "\342\234\240"
    "map" "\342\206\246"
    "mapsto" "\342\206\246"
    "mapstodown" "\342\206\247"
    "mapstoleft" "\342\206\244"
    "mapstoup" "\342\206\245"
    "marker" "\342\226\256"
    "mcomma" "\342\250\251"
    "mcy" "\320\274"
    "mdash" "\342\200\224"
    "measuredangle" "\342\210\241"
    "mfr" "\360\235\224\252"
    "mho" "\342\204\247"
    "micro" "\302\265"
    "mid" "\342\210\243"
    "midast" "*"
    "midcir" "\342\253\260"
    "middot" "\302\267"
    "minus" "\342\210\222"
    "minusb" "\342\212\237"
    "minusd" "\342\210\270"
    "minusdu" "\342\250\252"
    "mlcp" "\342\253\233"
    "mldr" "\342\200\246"
    "mnplus" "\342\210\223"
    "models" "\342\212\247"
    "mopf" "\360\235\225\236"
    "mp" "\342\210\223"
    "mscr" "\360\235\223\202"
    "mstpos" "\342\210\276"
    "mu" "\316\274"
    "multimap" "\342\212\270"
    "mumap" "\342\212\270"
    "nGg" "\342\213\231\314\270"
    "nGt" "\342\211\253\342\203\222"
    "nGtv" "\342\211\253\314\270"
    "nLeftarrow" "\342\207\215"
    "nLeftrightarrow" "\342\207\216"
    "nLl" "\342\213\230\314\270"
    "nLt" "\342\211\252\342\203\222"
    "nLtv" "\342\211\252\314\270"
    "nRightarrow" "\342\207\217"
    "nVDash" "\342\212\257"
    "nVdash" "\342\212\256"
    "nabla" "\342\210\207"
    "nacute" "\305\204"
    "nang" "\342\210\240\342\203\222"
    "nap" "\342\211\211"
    "napE" "\342\251\260\314\270"
    "napid" "\342\211\213\314\270"
    "napos" "\305\211"
    "napprox" "\342\211\211"
    "natur" "\342\231\256"
    "natural" "\342\231\256"
    "naturals" "\342\204\225"
    "nbsp" "\302\240"
    "nbump" "\342\211\216\314\270"
    "nbumpe" "\342\211\217\314\270"
    "ncap" "\342\251\203"
    "ncaron" "\305\210"
    "ncedil" "\305\206"
    "ncong" "\342\211\207"
    "ncongdot" "\342\251\255\314\270"
    "ncup" "\342\251\202"
    "ncy" "\320\275"
    "ndash" "\342\200\223"
    "ne" "\342\211\240"
    "neArr" "\342\207\227"
    "nearhk" "\342\244\244"
    "nearr" "\342\206\227"
    "nearrow" "\342\206\227"
    "nedot" "\342\211\220\314\270"
    "nequiv" "\342\211\242"
    "nesear" "\342\244\250"
    "nesim" "\342\211\202\314\270"
    "nexist" "\342\210\204"
    "nexists" "\342\210\204"
    "nfr" "\360\235\224\253"
    "ngE" "\342\211\247\314\270"
    "nge" "\342\211\261"
    "ngeq" "\342\211\261"
    "ngeqq" "\342\211\247\314\270"
    "ngeqslant" "\342\251\276\314\270"
    "nges" "\342\251\276\314\270"
    "ngsim" "\342\211\265"
    "ngt" "\342\211\257"
    "ngtr" "\342\211\257"
    "nhArr" "\342\207\216"
    "nharr" "\342\206\256"
    "nhpar" "\342\253\262"
    "ni" "\342\210\213"
    "nis" "\342\213\274"
    "nisd" "\342\213\272"
    "niv" "\342\210\213"
    "njcy" "\321\232"
    "nlArr" "\342\207\215"
    "nlE" "\342\211\246\314\270"
    "nlarr" "\342\206\232"
    "nldr" "\342\200\245"
    "nle" "\342\211\260"
    "nleftarrow" "\342\206\232"
    "nleftrightarrow" "\342\206\256"
    "nleq" "\342\211\260"
    "nleqq" "\342\211\246\314\270"
    "nleqslant" "\342\251\275\314\270"
    "nles" "\342\251\275\314\270"
    "nless" "\342\211\256"
    "nlsim" "\342\211\264"
    "nlt" "\342\211\256"
    "nltri" "\342\213\252"
    "nltrie" "\342\213\254"
    "nmid" "\342\210\244"
    "nopf" "\360\235\225\237"
    "not" "\302\254"
    "notin" "\342\210\211"
    "notinE" "\342\213\271\314\270"
    "notindot" "\342\213\265\314\270"
    "notinva" "\342\210\211"
    "notinvb" "\342\213\267"
    "notinvc" "\342\213\266"
    "notni" "\342\210\214"
    "notniva" "\342\210\214"
    "notnivb" "\342\213\276"
    "notnivc" "\342\213\275"
    "npar" "\342\210\246"
    "nparallel" "\342\210\246"
    "nparsl" "\342\253\275\342\203\245"
    "npart" "\342\210\202\314\270"
    "npolint" "\342\250\224"
    "npr" "\342\212\200"
    "nprcue" "\342\213\240"
    "npre" "\342\252\257\314\270"
    "nprec" "\342\212\200"
    "npreceq" "\342\252\257\314\270"
    "nrArr" "\342\207\217"
    "nrarr" "\342\206\233"
    "nrarrc" "\342\244\263\314\270"
    "nrarrw" "\342\206\235\314\270"
    "nrightarrow" "\342\206\233"
    "nrtri" "\342\213\253"
    "nrtrie" "\342\213\255"
    "nsc" "\342\212\201"
    "nsccue" "\342\213\241"
    "nsce" "\342\252\260\314\270"
    "nscr" "\360\235\223\203"
    "nshortmid" "\342\210\244"
    "nshortparallel" "\342\210\246"
    "nsim" "\342\211\201"
    "nsime" "\342\211\204"
    "nsimeq" "\342\211\204"
    "nsmid" "\342\210\244"
    "nspar" "\342\210\246"
    "nsqsube" "\342\213\242"
    "nsqsupe" "\342\213\243"
    "nsub" "\342\212\204"
    "nsubE" "\342\253\205\314\270"
    "nsube" "\342\212\210"
    "nsubset" "\342\212\202\342\203\222"
    "nsubseteq" "\342\212\210"
    "nsubseteqq" "\342\253\205\314\270"
    "nsucc" "\342\212\201"
    "nsucceq" "\342\252\260\314\270"
    "nsup" "\342\212\205"
    "nsupE" "\342\253\206\314\270"
    "nsupe" "\342\212\211"
    "nsupset" "\342\212\203\342\203\222"
    "nsupseteq" "\342\212\211"
    "nsupseteqq" "\342\253\206\314\270"
    "ntgl" "\342\211\271"
    "ntilde" "\303\261"
    "ntlg" "\342\211\270"
    "ntriangleleft" "\342\213\252"
    "ntrianglelefteq" "\342\213\254"
    "ntriangleright" "\342\213\253"
    "ntrianglerighteq" "\342\213\255"
    "nu" "\316\275"
    "num" "#"
    "numero" "\342\204\226"
    "numsp" "\342\200\207"
    "nvDash" "\342\212\255"
    "nvHarr" "\342\244\204"
    "nvap" "\342\211\215\342\203\222"
    "nvdash" "\342\212\254"
    "nvge" "\342\211\245\342\203\222"
    "nvgt" ">\342\203\222"
    "nvinfin" "\342\247\236"
    "nvlArr" "\342\244\202"
    "nvle" "\342\211\244\342\203\222"
    "nvlt" "<\342\203\222"
    "nvltrie" "\342\212\264\342\203\222"
    "nvrArr" "\342\244\203"
    "nvrtrie" "\342\212\265\342\203\222"
    "nvsim" "\342\210\274\342\203\222"
    "nwArr" "\342\207\226"
    "nwarhk" "\342\244\243"
    "nwarr" "\342\206\226"
    "nwarrow" "\342\206\226"
    "nwnear" "\342\244\247"
    "oS" "\342\223\210"
    "oacute" "\303\263"
    "oast" "\342\212\233"
    "ocir" "\342\212\232"
    "ocirc" "\303\264"
    "ocy" "\320\276"
    "odash" "\342\212\235"
    "odblac" "\305\221"
    "odiv" "\342\250\270"
    "odot" "\342\212\231"
    "odsold" "\342\246\274"
    "oelig" "\305\223"
    "ofcir" "\342\246\277"
    "ofr" "\360\235\224\254"
    "ogon" "\313\233"
    "ograve" "\303\262"
    "ogt" "\342\247\201"
    "ohbar" "\342\246\265"
    "ohm" "\316\251"
    "oint" "\342\210\256"
    "olarr" "\342\206\272"
    "olcir" "\342\246\276"
    "olcross" "\342\246\273"
    "oline" "\342\200\276"
    "olt" "\342\247\200"
    "omacr" "\305\215"
    "omega" "\317\211"
    "omicron" "\316\277"
    "omid" "\342\246\266"
    "ominus" "\342\212\226"
    "oopf" "\360\235\225\240"
    "opar" "\342\246\267"
    "operp" "\342\246\271"
    "oplus" "\342\212\225"
    "or" "\342\210\250"
    "orarr" "\342\206\273"
    "ord" "\342\251\235"
    "order" "\342\204\264"
    "orderof" "\342\204\264"
    "ordf" "\302\252"
    "ordm" "\302\272"
    "origof" "\342\212\266"
    "oror" "\342\251\226"
    "orslope" "\342\251\227"
    "orv" "\342\251\233"
    "oscr" "\342\204\264"
    "oslash" "\303\270"
    "osol" "\342\212\230"
    "otilde" "\303\265"
    "otimes" "\342\212\227"
    "otimesas" "\342\250\266"
    "ouml" "\303\266"
    "ovbar" "\342\214\275"
    "par" "\342\210\245"
    "para" "\302\266"
    "parallel" "\342\210\245"
    "parsim" "\342\253\263"
    "parsl" "\342\253\275"
    "part" "\342\210\202"
    "pcy" "\320\277"
    "percnt" "%"
    "period" "."
    "permil" "\342\200\260"
    "perp" "\342\212\245"
    "pertenk" "\342\200\261"
    "pfr" "\360\235\224\255"
    "phi" "\317\206"
    "phiv" "\317\225"
    "phmmat" "\342\204\263"
    "phone" "\342\230\216"
    "pi" "\317\200"
    "pitchfork" "\342\213\224"
    "piv" "\317\226"
    "planck" "\342\204\217"
    "planckh" "\342\204\216"
    "plankv" "\342\204\217"
    "plus" "+"
    "plusacir" "\342\250\243"
    "plusb" "\342\212\236"
    "pluscir" "\342\250\242"
    "plusdo" "\342\210\224"
    "plusdu" "\342\250\245"
    "pluse" "\342\251\262"
    "plusmn" "\302\261"
    "plussim" "\342\250\246"
    "plustwo" "\342\250\247"
    "pm" "\302\261"
    "pointint" "\342\250\225"
    "popf" "\360\235\225\241"
    "pound" "\302\243"
    "pr" "\342\211\272"
    "prE" "\342\252\263"
    "prap" "\342\252\267"
    "prcue" "\342\211\274"
    "pre" "\342\252\257"
    "prec" "\342\211\272"
    "precapprox" "\342\252\267"
    "preccurlyeq" "\342\211\274"
    "preceq" "\342\252\257"
    "precnapprox" "\342\252\271"
    "precneqq" "\342\252\265"
    "precnsim" "\342\213\250"
    "precsim" "\342\211\276"
    "prime" "\342\200\262"
    "primes" "\342\204\231"
    "prnE" "\342\252\265"
    "prnap" "\342\252\271"
    "prnsim" "\342\213\250"
    "prod" "\342\210\217"
    "profalar" "\342\214\256"
    "profline" "\342\214\222"
    "profsurf" "\342\214\223"
    "prop" "\342\210\235"
    "propto" "\342\210\235"
    "prsim" "\342\211\276"
    "prurel" "\342\212\260"
    "pscr" "\360\235\223\205"
    "psi" "\317\210"
    "puncsp" "\342\200\210"
    "qfr" "\360\235\224\256"
    "qint" "\342\250\214"
    "qopf" "\360\235\225\242"
    "qprime" "\342\201\227"
    "qscr" "\360\235\223\206"
    "quaternions" "\342\204\215"
    "quatint" "\342\250\226"
    "quest" "\077"
    "questeq" "\342\211\237"
    "quot" "\042"
    "rAarr" "\342\207\233"
    "rArr" "\342\207\222"
    "rAtail" "\342\244\234"
    "rBarr" "\342\244\217"
    "rHar" "\342\245\244"
    "race" "\342\210\275\314\261"
    "racute" "\305\225"
    "radic" "\342\210\232"
    "raemptyv" "\342\246\263"
    "rang" "\342\237\251"
    "rangd" "\342\246\222"
    "range" "\342\246\245"
    "rangle" "\342\237\251"
    "raquo" "\302\273"
    "rarr" "\342\206\222"
    "rarrap" "\342\245\265"
    "rarrb" "\342\207\245"
    "rarrbfs" "\342\244\240"
    "rarrc" "\342\244\263"
    "rarrfs" "\342\244\236"
    "rarrhk" "\342\206\252"
    "rarrlp" "\342\206\254"
    "rarrpl" "\342\245\205"
    "rarrsim" "\342\245\264"
    "rarrtl" "\342\206\243"
    "rarrw" "\342\206\235"
    "ratail" "\342\244\232"
    "ratio" "\342\210\266"
    "rationals" "\342\204\232"
    "rbarr" "\342\244\215"
    "rbbrk" "\342\235\263"
    "rbrace" "}"
    "rbrack" "]"
    "rbrke" "\342\246\214"
    "rbrksld" "\342\246\216"
    "rbrkslu" "\342\246\220"
    "rcaron" "\305\231"
    "rcedil" "\305\227"
    "rceil" "\342\214\211"
    "rcub" "}"
    "rcy" "\321\200"
    "rdca" "\342\244\267"
    "rdldhar" "\342\245\251"
    "rdquo" "\342\200\235"
    "rdquor" "\342\200\235"
    "rdsh" "\342\206\263"
    "real" "\342\204\234"
    "realine" "\342\204\233"
    "realpart" "\342\204\234"
    "reals" "\342\204\235"
    "rect" "\342\226\255"
    "reg" "\302\256"
    "rfisht" "\342\245\275"
    "rfloor" "\342\214\213"
    "rfr" "\360\235\224\257"
    "rhard" "\342\207\201"
    "rharu" "\342\207\200"
    "rharul" "\342\245\254"
    "rho" "\317\201"
    "rhov" "\317\261"
    "rightarrow" "\342\206\222"
    "rightarrowtail" "\342\206\243"
    "rightharpoondown" "\342\207\201"
    "rightharpoonup" "\342\207\200"
    "rightleftarrows" "\342\207\204"
    "rightleftharpoons" "\342\207\214"
    "rightrightarrows" "\342\207\211"
    "rightsquigarrow" "\342\206\235"
    "rightthreetimes" "\342\213\214"
    "ring" "\313\232"
    "risingdotseq" "\342\211\223"
    "rlarr" "\342\207\204"
    "rlhar" "\342\207\214"
    "rlm" "\342\200\217"
    "rmoust" "\342\216\261"
    "rmoustache" "\342\216\261"
    "rnmid" "\342\253\256"
    "roang" "\342\237\255"
    "roarr" "\342\207\276"
    "robrk" "\342\237\247"
    "ropar" "\342\246\206"
    "ropf" "\360\235\225\243"
    "roplus" "\342\250\256"
    "rotimes" "\342\250\265"
    "rpar" ")"
    "rpargt" "\342\246\224"
    "rppolint" "\342\250\222"
    "rrarr" "\342\207\211"
    "rsaquo" "\342\200\272"
    "rscr" "\360\235\223\207"
    "rsh" "\342\206\261"
    "rsqb" "]"
    "rsquo" "\342\200\231"
    "rsquor" "\342\200\231"
    "rthree" "\342\213\214"
    "rtimes" "\342\213\212"
    "rtri" "\342\226\271"
    "rtrie" "\342\212\265"
    "rtrif" "\342\226\270"
    "rtriltri" "\342\247\216"
    "ruluhar" "\342\245\250"
    "rx" "\342\204\236"
    "sacute" "\305\233"
    "sbquo" "\342\200\232"
    "sc" "\342\211\273"
    "scE" "\342\252\264"
    "scap" "\342\252\270"
    "scaron" "\305\241"
    "sccue" "\342\211\275"
    "sce" "\342\252\260"
    "scedil" "\305\237"
    "scirc" "\305\235"
    "scnE" "\342\252\266"
    "scnap" "\342\252\272"
    "scnsim" "\342\213\251"
    "scpolint" "\342\250\223"
    "scsim" "\342\211\277"
    "scy" "\321\201"
    "sdot" "\342\213\205"
    "sdotb" "\342\212\241"
    "sdote" "\342\251\246"
    "seArr" "\342\207\230"
    "searhk" "\342\244\245"
    "searr" "\342\206\230"
    "searrow" "\342\206\230"
    "sect" "\302\247"
    "semi" ";"
    "seswar" "\342\244\251"
    "setminus" "\342\210\226"
    "setmn" "\342\210\226"
    "sext" "\342\234\266"
    "sfr" "\360\235\224\260"
    "sfrown" "\342\214\242"
    "sharp" "\342\231\257"
    "shchcy" "\321\211"
    "shcy" "\321\210"
    "shortmid" "\342\210\243"
    "shortparallel" "\342\210\245"
    "shy" "\302\255"
    "sigma" "\317\203"
    "sigmaf" "\317\202"
    "sigmav" "\317\202"
    "sim" "\342\210\274"
    "simdot" "\342\251\252"
    "sime" "\342\211\203"
    "simeq" "\342\211\203"
    "simg" "\342\252\236"
    "simgE" "\342\252\240"
    "siml" "\342\252\235"
    "simlE" "\342\252\237"
    "simne" "\342\211\206"
    "simplus" "\342\250\244"
    "simrarr" "\342\245\262"
    "slarr" "\342\206\220"
    "smallsetminus" "\342\210\226"
    "smashp" "\342\250\263"
    "smeparsl" "\342\247\244"
    "smid" "\342\210\243"
    "smile" "\342\214\243"
    "smt" "\342\252\252"
    "smte" "\342\252\254"
    "smtes" "\342\252\254\357\270\200"
    "softcy" "\321\214"
    "sol" "/"
    "solb" "\342\247\204"
    "solbar" "\342\214\277"
    "sopf" "\360\235\225\244"
    "spades" "\342\231\240"
    "spadesuit" "\342\231\240"
    "spar" "\342\210\245"
    "sqcap" "\342\212\223"
    "sqcaps" "\342\212\223\357\270\200"
    "sqcup" "\342\212\224"
    "sqcups" "\342\212\224\357\270\200"
    "sqsub" "\342\212\217"
    "sqsube" "\342\212\221"
    "sqsubset" "\342\212\217"
    "sqsubseteq" "\342\212\221"
    "sqsup" "\342\212\220"
    "sqsupe" "\342\212\222"
    "sqsupset" "\342\212\220"
    "sqsupseteq" "\342\212\222"
    "squ" "\342\226\241"
    "square" "\342\226\241"
    "squarf" "\342\226\252"
    "squf" "\342\226\252"
    "srarr" "\342\206\222"
    "sscr" "\360\235\223\210"
    "ssetmn" "\342\210\226"
    "ssmile" "\342\214\243"
    "sstarf" "\342\213\206"
    "star" "\342\230\206"
    "starf" "\342\230\205"
    "straightepsilon" "\317\265"
    "straightphi" "\317\225"
    "strns" "\302\257"
    "sub" "\342\212\202"
    "subE" "\342\253\205"
    "subdot" "\342\252\275"
    "sube" "\342\212\206"
    "subedot" "\342\253\203"
    "submult" "\342\253\201"
    "subnE" "\342\253\213"
    "subne" "\342\212\212"
    "subplus" "\342\252\277"
    "subrarr" "\342\245\271"
    "subset" "\342\212\202"
    "subseteq" "\342\212\206"
    "subseteqq" "\342\253\205"
    "subsetneq" "\342\212\212"
    "subsetneqq" "\342\253\213"
    "subsim" "\342\253\207"
    "subsub" "\342\253\225"
    "subsup" "\342\253\223"
    "succ" "\342\211\273"
    "succapprox" "\342\252\270"
    "succcurlyeq" "\342\211\275"
    "succeq" "\342\252\260"
    "succnapprox" "\342\252\272"
    "succneqq" "\342\252\266"
    "succnsim" "\342\213\251"
    "succsim" "\342\211\277"
    "sum" "\342\210\221"
    "sung" "\342\231\252"
    "sup" "\342\212\203"
    "sup1" "\302\271"
    "sup2" "\302\262"
    "sup3" "\302\263"
    "supE" "\342\253\206"
    "supdot" "\342\252\276"
    "supdsub" "\342\253\230"
    "supe" "\342\212\207"
    "supedot" "\342\253\204"
    "suphsol" "\342\237\211"
    "suphsub" "\342\253\227"
    "suplarr" "\342\245\273"
    "supmult" "\342\253\202"
    "supnE" "\342\253\214"
    "supne" "\342\212\213"
    "supplus" "\342\253\200"
    "supset" "\342\212\203"
    "supseteq" "\342\212\207"
    "supseteqq" "\342\253\206"
    "supsetneq" "\342\212\213"
    "supsetneqq" "\342\253\214"
    "supsim" "\342\253\210"
    "supsub" "\342\253\224"
    "supsup" "\342\253\226"
    "swArr" "\342\207\231"
    "swarhk" "\342\244\246"
    "swarr" "\342\206\231"
    "swarrow" "\342\206\231"
    "swnwar" "\342\244\252"
    "szlig" "\303\237"
    "target" "\342\214\226"
    "tau" "\317\204"
    "tbrk" "\342\216\264"
    "tcaron" "\305\245"
    "tcedil" "\305\243"
    "tcy" "\321\202"
    "tdot" "\342\203\233"
    "telrec" "\342\214\225"
    "tfr" "\360\235\224\261"
    "there4" "\342\210\264"
    "therefore" "\342\210\264"
    "theta" "\316\270"
    "thetasym" "\317\221"
    "thetav" "\317\221"
    "thickapprox" "\342\211\210"
    "thicksim" "\342\210\274"
    "thinsp" "\342\200\211"
    "thkap" "\342\211\210"
    "thksim" "\342\210\274"
    "thorn" "\303\276"
    "tilde" "\313\234"
    "times" "\303\227"
    "timesb" "\342\212\240"
    "timesbar" "\342\250\261"
    "timesd" "\342\250\260"
    "tint" "\342\210\255"
    "toea" "\342\244\250"
    "top" "\342\212\244"
    "topbot" "\342\214\266"
    "topcir" "\342\253\261"
    "topf" "\360\235\225\245"
    "topfork" "\342\253\232"
    "tosa" "\342\244\251"
    "tprime" "\342\200\264"
    "trade" "\342\204\242"
    "triangle" "\342\226\265"
    "triangledown" "\342\226\277"
    "triangleleft" "\342\227\203"
    "trianglelefteq" "\342\212\264"
    "triangleq" "\342\211\234"
    "triangleright" "\342\226\271"
    "trianglerighteq" "\342\212\265"
    "tridot" "\342\227\254"
    "trie" "\342\211\234"
    "triminus" "\342\250\272"
    "triplus" "\342\250\271"
    "trisb" "\342\247\215"
    "tritime" "\342\250\273"
    "trpezium" "\342\217\242"
    "tscr" "\360\235\223\211"
    "tscy" "\321\206"
    "tshcy" "\321\233"
    "tstrok" "\305\247"
    "twixt" "\342\211\254"
    "twoheadleftarrow" "\342\206\236"
    "twoheadrightarrow" "\342\206\240"
    "uArr" "\342\207\221"
    "uHar" "\342\245\243"
    "uacute" "\303\272"
    "uarr" "\342\206\221"
    "ubrcy" "\321\236"
    "ubreve" "\305\255"
    "ucirc" "\303\273"
    "ucy" "\321\203"
    "udarr" "\342\207\205"
    "udblac" "\305\261"
    "udhar" "\342\245\256"
    "ufisht" "\342\245\276"
    "ufr" "\360\235\224\262"
    "ugrave" "\303\271"
    "uharl" "\342\206\277"
    "uharr" "\342\206\276"
    "uhblk" "\342\226\200"
    "ulcorn" "\342\214\234"
    "ulcorner" "\342\214\234"
    "ulcrop" "\342\214\217"
    "ultri" "\342\227\270"
    "umacr" "\305\253"
    "uml" "\302\250"
    "uogon" "\305\263"
    "uopf" "\360\235\225\246"
    "uparrow" "\342\206\221"
    "updownarrow" "\342\206\225"
    "upharpoonleft" "\342\206\277"
    "upharpoonright" "\342\206\276"
    "uplus" "\342\212\216"
    "upsi" "\317\205"
    "upsih" "\317\222"
    "upsilon" "\317\205"
    "upuparrows" "\342\207\210"
    "urcorn" "\342\214\235"
    "urcorner" "\342\214\235"
    "urcrop" "\342\214\216"
    "uring" "\305\257"
    "urtri" "\342\227\271"
    "uscr" "\360\235\223\212"
    "utdot" "\342\213\260"
    "utilde" "\305\251"
    "utri" "\342\226\265"
    "utrif" "\342\226\264"
    "uuarr" "\342\207\210"
    "uuml" "\303\274"
    "uwangle" "\342\246\247"
    "vArr" "\342\207\225"
    "vBar" "\342\253\250"
    "vBarv" "\342\253\251"
    "vDash" "\342\212\250"
    "vangrt" "\342\246\234"
    "varepsilon" "\317\265"
    "varkappa" "\317\260"
    "varnothing" "\342\210\205"
    "varphi" "\317\225"
    "varpi" "\317\226"
    "varpropto" "\342\210\235"
    "varr" "\342\206\225"
    "varrho" "\317\261"
    "varsigma" "\317\202"
    "varsubsetneq" "\342\212\212\357\270\200"
    "varsubsetneqq" "\342\253\213\357\270\200"
    "varsupsetneq" "\342\212\213\357\270\200"
    "varsupsetneqq" "\342\253\214\357\270\200"
    "vartheta" "\317\221"
    "vartriangleleft" "\342\212\262"
    "vartriangleright" "\342\212\263"
    "vcy" "\320\262"
    "vdash" "\342\212\242"
    "vee" "\342\210\250"
    "veebar" "\342\212\273"
    "veeeq" "\342\211\232"
    "vellip" "\342\213\256"
    "verbar" "|"
    "vert" "|"
    "vfr" "\360\235\224\263"
    "vltri" "\342\212\262"
    "vnsub" "\342\212\202\342\203\222"
    "vnsup" "\342\212\203\342\203\222"
    "vopf" "\360\235\225\247"
    "vprop" "\342\210\235"
    "vrtri" "\342\212\263"
    "vscr" "\360\235\223\213"
    "vsubnE" "\342\253\213\357\270\200"
    "vsubne" "\342\212\212\357\270\200"
    "vsupnE" "\342\253\214\357\270\200"
    "vsupne" "\342\212\213\357\270\200"
    "vzigzag" "\342\246\232"
    "wcirc" "\305\265"
    "wedbar" "\342\251\237"
    "wedge" "\342\210\247"
    "wedgeq" "\342\211\231"
    "weierp" "\342\204\230"
    "wfr" "\360\235\224\264"
    "wopf" "\360\235\225\250"
    "wp" "\342\204\230"
    "wr" "\342\211\200"
    "wreath" "\342\211\200"
    "wscr" "\360\235\223\214"
    "xcap" "\342\213\202"
    "xcirc" "\342\227\257"
    "xcup" "\342\213\203"
    "xdtri" "\342\226\275"
    "xfr" "\360\235\224\265"
    "xhArr" "\342\237\272"
    "xharr" "\342\237\267"
    "xi" "\316\276"
    "xlArr" "\342\237\270"
    "xlarr" "\342\237\265"
    "xmap" "\342\237\274"
    "xnis" "\342\213\273"
    "xodot" "\342\250\200"
    "xopf" "\360\235\225\251"
    "xoplus" "\342\250\201"
    "xotime" "\342\250\202"
    "xrArr" "\342\237\271"
    "xrarr" "\342\237\266"
    "xscr" "\360\235\223\215"
    "xsqcup" "\342\250\206"
    "xuplus" "\342\250\204"
    "xutri" "\342\226\263"
    "xvee" "\342\213\201"
    "xwedge" "\342\213\200"
    "yacute" "\303\275"
    "yacy" "\321\217"
    "ycirc" "\305\267"
    "ycy" "\321\213"
    "yen" "\302\245"
    "yfr" "\360\235\224\266"
    "yicy" "\321\227"
    "yopf" "\360\235\225\252"
    "yscr" "\360\235\223\216"
    "yucy" "\321\216"
    "yuml" "\303\277"
    "zacute" "\305\272"
    "zcaron" "\305\276"
    "zcy" "\320\267"
    "zdot" "\305\274"
    "zeetrf" "\342\204\250"
    "zeta" "\316\266"
    "zfr" "\360\235\224\267"
    "zhcy" "\320\266"
    "zigrarr" "\342\207\235"
    "zopf" "\360\235\225\253"
    "zscr" "\360\235\223\217"
    "zwj" "\342\200\215"
    "zwnj" "\342\200\214";

const std::array<NamedReference, kNamedReferences> kReferenceRows = {{
    {0,5,2,1}, {7,3,1,1}, {11,6,2,1}, {19,6,2,0}, {27,5,2,1}, {34,3,2,0}, {39,3,4,0}, {46,6,2,1},
    {54,5,2,0}, {61,5,2,0}, {68,3,3,0}, {74,5,2,0}, {81,4,4,0}, {89,13,3,0}, {105,5,2,1}, {112,4,4,0},
    {120,6,3,0}, {129,6,2,1}, {137,4,2,1}, {143,9,3,0}, {155,4,3,0}, {162,6,3,0}, {171,3,2,0}, {176,7,3,0},
    {186,10,3,0}, {199,4,2,0}, {205,3,4,0}, {212,4,4,0}, {220,5,2,0}, {227,4,3,0}, {234,6,3,0}, {243,4,2,0},
    {249,4,2,1}, {255,6,2,0}, {263,3,3,0}, {269,20,3,0}, {292,7,3,0}, {302,6,2,0}, {310,6,2,1}, {318,5,2,0},
    {325,7,3,0}, {335,4,2,0}, {341,7,2,0}, {350,9,2,0}, {361,3,3,0}, {367,3,2,0}, {372,9,3,0}, {384,11,3,0},
    {398,10,3,0}, {411,11,3,0}, {425,24,3,0}, {452,21,3,0}, {476,15,3,0}, {494,5,3,0}, {502,6,3,0}, {511,9,3,0},
    {523,6,3,0}, {532,15,3,0}, {550,4,3,0}, {557,9,3,0}, {569,31,3,0}, {603,5,3,0}, {611,4,4,0}, {619,3,3,0},
    {625,6,3,0}, {634,2,3,0}, {639,8,3,0}, {650,4,2,0}, {656,4,2,0}, {662,4,2,0}, {668,6,3,0}, {677,4,3,0},
    {684,5,3,0}, {692,6,2,0}, {700,3,2,0}, {705,3,3,0}, {711,5,2,0}, {718,3,4,0}, {725,16,2,0}, {743,14,2,0},
    {759,22,2,0}, {783,16,1,0}, {800,16,2,0}, {818,7,3,0}, {828,13,3,0}, {844,4,4,0}, {852,3,2,0}, {857,6,3,0},
    {866,8,3,0}, {877,21,3,0}, {901,9,2,0}, {912,15,3,0}, {930,15,3,0}, {948,20,3,0}, {971,13,3,0}, {987,19,3,0},
    {1009,24,3,0}, {1036,20,3,0}, {1059,16,3,0}, {1078,14,3,0}, {1095,13,3,0}, {1111,17,3,0}, {1131,17,3,0}, {1151,9,3,0},
    {1163,12,3,0}, {1178,16,3,0}, {1197,9,2,0}, {1208,19,3,0}, {1230,17,3,0}, {1250,14,3,0}, {1267,17,3,0}, {1287,18,3,0},
    {1308,15,3,0}, {1326,18,3,0}, {1347,7,3,0}, {1357,12,3,0}, {1372,9,3,0}, {1384,4,4,0}, {1392,6,2,0}, {1400,3,2,0},
    {1405,3,2,1}, {1410,6,2,1}, {1418,6,2,0}, {1426,5,2,1}, {1433,3,2,0}, {1438,4,2,0}, {1444,3,4,0}, {1451,6,2,1},
    {1459,7,3,0}, {1469,5,2,0}, {1476,16,3,0}, {1495,20,3,0}, {1518,5,2,0}, {1525,4,4,0}, {1533,7,2,0}, {1542,5,3,0},
    {1550,10,3,0}, {1563,11,3,0}, {1577,4,3,0}, {1584,4,3,0}, {1591,3,2,0}, {1596,4,2,1}, {1602,6,3,0}, {1611,12,3,0},
    {1626,3,2,0}, {1631,3,4,0}, {1638,17,3,0}, {1658,21,3,0}, {1682,4,4,0}, {1690,6,3,0}, {1699,10,3,0}, {1712,4,3,0},
    {1719,4,2,0}, {1725,2,1,1}, {1728,5,2,0}, {1735,6,2,0}, {1743,6,2,0}, {1751,6,2,0}, {1759,5,2,0}, {1766,3,2,0},
    {1771,4,2,0}, {1777,3,4,0}, {1784,2,3,0}, {1789,4,4,0}, {1797,12,3,0}, {1812,16,3,0}, {1831,16,3,0}, {1850,14,3,0},
    {1867,11,3,0}, {1881,17,3,0}, {1901,12,3,0}, {1916,4,4,0}, {1924,2,3,0}, {1929,6,2,0}, {1937,5,2,0}, {1944,3,1,0},
    {1948,5,2,0}, {1955,3,3,0}, {1961,12,3,0}, {1976,4,3,0}, {1983,14,3,0}, {2000,4,3,0}, {2007,6,2,0}, {2015,12,3,0},
    {2030,9,3,0}, {2042,4,2,0}, {2048,5,2,0}, {2055,4,2,0}, {2061,6,2,1}, {2069,5,2,1}, {2076,3,2,0}, {2081,4,2,0},
    {2087,3,3,0}, {2093,6,2,1}, {2101,2,3,0}, {2106,5,2,0}, {2113,10,3,0}, {2126,7,3,0}, {2136,3,3,0}, {2142,8,3,0},
    {2153,12,3,0}, {2168,14,3,0}, {2185,14,3,0}, {2202,5,2,0}, {2209,4,4,0}, {2217,4,2,0}, {2223,4,3,0}, {2230,6,2,0},
    {2238,5,2,0}, {2245,4,2,1}, {2251,5,2,0}, {2258,3,2,0}, {2263,3,4,0}, {2270,4,4,0}, {2278,4,4,0}, {2286,6,2,0},
    {2294,5,2,0}, {2301,4,2,0}, {2307,4,2,0}, {2313,5,2,0}, {2320,6,2,0}, {2328,3,2,0}, {2333,3,4,0}, {2340,4,4,0},
    {2348,4,4,0}, {2356,4,2,0}, {2362,2,1,1}, {2365,6,2,0}, {2373,6,2,0}, {2381,4,3,0}, {2388,10,3,0}, {2401,4,3,0},
    {2408,6,2,0}, {2416,6,2,0}, {2424,3,2,0}, {2429,16,3,0}, {2448,9,3,0}, {2460,12,3,0}, {2475,19,3,0}, {2497,11,3,0},
    {2511,17,3,0}, {2531,17,3,0}, {2551,14,3,0}, {2568,17,3,0}, {2588,9,3,0}, {2600,14,3,0}, {2617,15,3,0}, {2635,7,3,0},
    {2645,12,3,0}, {2660,13,3,0}, {2676,12,3,0}, {2691,15,3,0}, {2709,17,3,0}, {2729,16,3,0}, {2748,15,3,0}, {2766,12,3,0},
    {2781,15,3,0}, {2799,10,3,0}, {2812,13,3,0}, {2828,9,3,0}, {2840,14,3,0}, {2857,16,3,0}, {2876,13,3,0}, {2892,11,3,0},
    {2906,8,3,0}, {2917,14,3,0}, {2934,9,3,0}, {2946,3,4,0}, {2953,2,3,0}, {2958,10,3,0}, {2971,6,2,0}, {2979,13,3,0},
    {2995,18,3,0}, {3016,14,3,0}, {3033,13,3,0}, {3049,18,3,0}, {3070,14,3,0}, {3087,4,4,0}, {3095,14,3,0}, {3112,15,3,0},
    {3130,4,3,0}, {3137,3,3,0}, {3143,6,2,0}, {3151,2,3,0}, {3156,3,3,0}, {3162,3,2,0}, {3167,11,3,0}, {3181,9,3,0},
    {3193,3,4,0}, {3200,9,3,0}, {3212,4,4,0}, {3220,4,3,0}, {3227,2,2,0}, {3231,4,2,0}, {3237,6,2,0}, {3245,6,2,0},
    {3253,6,2,0}, {3261,3,2,0}, {3266,19,3,0}, {3288,18,3,0}, {3309,17,3,0}, {3329,21,3,0}, {3353,20,3,0}, {3376,14,3,0},
    {3393,7,1,0}, {3401,3,4,0}, {3408,7,3,0}, {3418,16,2,0}, {3436,4,3,0}, {3443,3,3,0}, {3449,12,3,0}, {3464,9,3,0},
    {3476,20,3,0}, {3499,10,3,0}, {3512,8,3,0}, {3523,13,5,0}, {3541,9,3,0}, {3553,10,3,0}, {3566,15,3,0}, {3584,19,5,0},
    {3608,17,5,0}, {3630,14,3,0}, {3647,20,5,0}, {3672,15,3,0}, {3690,15,5,0}, {3710,12,5,0}, {3727,15,3,0}, {3745,18,5,0},
    {3768,20,3,0}, {3791,7,3,0}, {3801,12,3,0}, {3816,14,3,0}, {3833,11,5,0}, {3849,17,5,0}, {3871,12,3,0}, {3886,23,5,0},
    {3914,17,5,0}, {3936,11,3,0}, {3950,16,5,0}, {3971,21,3,0}, {3995,17,3,0}, {4015,16,3,0}, {4034,19,5,0}, {4058,21,3,0},
    {4082,15,5,0}, {4102,20,3,0}, {4125,17,5,0}, {4147,22,3,0}, {4172,9,6,0}, {4187,14,3,0}, {4204,11,3,0}, {4218,16,5,0},
    {4239,21,3,0}, {4263,16,5,0}, {4284,11,6,0}, {4301,16,3,0}, {4320,8,3,0}, {4331,13,3,0}, {4347,17,3,0}, {4367,13,3,0},
    {4383,14,3,0}, {4400,4,4,0}, {4408,6,2,1}, {4416,2,2,0}, {4420,5,2,0}, {4427,6,2,1}, {4435,5,2,1}, {4442,3,2,0},
    {4447,6,2,0}, {4455,3,4,0}, {4462,6,2,1}, {4470,5,2,0}, {4477,5,2,0}, {4484,7,2,0}, {4493,4,4,0}, {4501,20,3,0},
    {4524,14,3,0}, {4541,2,3,0}, {4546,4,4,0}, {4554,6,2,1}, {4562,6,2,1}, {4570,6,3,0}, {4579,4,2,1}, {4585,7,3,0},
    {4595,9,3,0}, {4607,11,3,0}, {4621,15,3,0}, {4639,8,3,0}, {4650,3,2,0}, {4655,3,4,0}, {4662,3,2,0}, {4667,2,2,0},
    {4671,9,2,0}, {4682,13,3,0}, {4698,4,3,0}, {4705,2,3,0}, {4710,8,3,0}, {4721,13,3,0}, {4737,18,3,0}, {4758,13,3,0},
    {4774,5,3,0}, {4782,7,3,0}, {4792,10,3,0}, {4805,12,3,0}, {4820,4,4,0}, {4828,3,2,0}, {4833,4,1,1}, {4838,3,4,0},
    {4845,4,3,0}, {4852,4,4,0}, {4860,5,3,0}, {4868,3,2,1}, {4873,6,2,0}, {4881,4,3,0}, {4888,4,3,0}, {4895,6,3,0},
    {4904,6,2,0}, {4912,6,2,0}, {4920,3,2,0}, {4925,2,3,0}, {4930,14,3,0}, {4947,18,3,0}, {4968,20,3,0}, {4991,3,3,0},
    {4997,3,2,0}, {5002,17,3,0}, {5022,10,3,0}, {5035,13,3,0}, {5051,19,3,0}, {5073,12,3,0}, {5088,18,3,0}, {5109,18,3,0},
    {5130,15,3,0}, {5148,18,3,0}, {5169,10,3,0}, {5182,8,3,0}, {5193,13,3,0}, {5209,14,3,0}, {5226,13,3,0}, {5242,16,3,0},
    {5261,18,3,0}, {5282,17,3,0}, {5302,16,3,0}, {5321,13,3,0}, {5337,16,3,0}, {5356,11,3,0}, {5370,14,3,0}, {5387,10,3,0},
    {5400,4,3,0}, {5407,12,3,0}, {5422,11,3,0}, {5436,4,3,0}, {5443,3,3,0}, {5449,11,3,0}, {5463,6,2,0}, {5471,4,2,0},
    {5477,6,2,0}, {5485,6,2,0}, {5493,2,3,0}, {5498,6,2,0}, {5506,6,2,0}, {5514,5,2,0}, {5521,3,2,0}, {5526,3,4,0},
    {5533,14,3,0}, {5550,14,3,0}, {5567,15,3,0}, {5585,12,3,0}, {5600,5,2,0}, {5607,11,3,0}, {5621,4,4,0}, {5629,4,3,0},
    {5636,6,3,0}, {5645,18,3,0}, {5666,12,3,0}, {5681,17,3,0}, {5701,14,3,0}, {5718,19,3,0}, {5740,11,3,0}, {5754,4,4,0},
    {5762,4,3,0}, {5769,3,3,0}, {5775,6,3,0}, {5784,11,3,0}, {5798,8,3,0}, {5809,13,3,0}, {5825,18,3,0}, {5846,13,3,0},
    {5862,8,3,0}, {5873,3,3,0}, {5879,3,3,0}, {5885,8,3,0}, {5896,13,3,0}, {5912,6,3,0}, {5921,5,2,1}, {5928,5,3,0},
    {5936,5,2,0}, {5943,4,2,0}, {5949,3,1,0}, {5953,3,2,0}, {5958,6,2,0}, {5966,6,2,0}, {5974,3,2,0}, {5979,3,4,0},
    {5986,9,3,0}, {5998,5,2,0}, {6005,10,6,0}, {6021,9,3,0}, {6033,5,3,0}, {6041,10,3,0}, {6054,14,3,0}, {6071,10,3,0},
    {6084,4,4,0}, {6092,9,3,0}, {6104,4,4,0}, {6112,6,2,0}, {6120,6,2,1}, {6128,4,3,0}, {6135,8,3,0}, {6146,5,2,0},
    {6153,6,2,0}, {6161,5,2,1}, {6168,3,2,0}, {6173,6,2,0}, {6181,3,4,0}, {6188,6,2,1}, {6196,5,2,0}, {6203,8,1,0},
    {6212,10,3,0}, {6225,12,3,0}, {6240,16,3,0}, {6259,5,3,0}, {6267,9,3,0}, {6279,5,2,0}, {6286,4,4,0}, {6294,7,3,0},
    {6304,10,3,0}, {6317,16,3,0}, {6336,11,3,0}, {6350,13,3,0}, {6366,5,3,0}, {6374,10,3,0}, {6387,7,3,0}, {6397,11,3,0},
    {6411,14,3,0}, {6428,15,3,0}, {6446,4,2,0}, {6452,7,2,0}, {6461,5,2,0}, {6468,4,4,0}, {6476,6,2,0}, {6484,4,2,1},
    {6490,5,3,0}, {6498,4,3,0}, {6505,3,2,0}, {6510,5,3,0}, {6518,6,3,0}, {6527,3,3,0}, {6533,6,3,0}, {6542,4,3,0},
    {6549,11,3,0}, {6563,12,1,0}, {6576,17,3,0}, {6596,13,3,0}, {6612,13,3,0}, {6628,3,4,0}, {6635,4,4,0}, {6643,4,4,0},
    {6651,6,3,0}, {6660,5,2,0}, {6667,5,3,0}, {6675,3,4,0}, {6682,4,4,0}, {6690,4,4,0}, {6698,3,4,0}, {6705,2,2,0},
    {6709,4,4,0}, {6717,4,4,0}, {6725,4,2,0}, {6731,4,2,0}, {6737,4,2,0}, {6743,6,2,1}, {6751,5,2,0}, {6758,3,2,0},
    {6763,3,4,0}, {6770,4,4,0}, {6778,4,4,0}, {6786,4,2,0}, {6792,4,2,0}, {6798,6,2,0}, {6806,6,2,0}, {6814,3,2,0},
    {6819,4,2,0}, {6825,14,3,0}, {6842,4,2,0}, {6848,3,3,0}, {6854,4,3,0}, {6861,4,4,0}, {6869,6,2,1}, {6877,6,2,0},
    {6885,2,3,0}, {6890,3,5,0}, {6898,3,3,0}, {6904,5,2,1}, {6911,5,2,1}, {6918,3,2,0}, {6923,5,2,1}, {6930,2,3,0},
    {6935,3,4,0}, {6942,6,2,1}, {6950,7,3,0}, {6960,5,3,0}, {6968,5,2,0}, {6975,5,2,0}, {6982,5,3,0}, {6990,3,1,1},
    {6994,3,3,0}, {7000,6,3,0}, {7009,4,3,0}, {7016,8,3,0}, {7027,4,3,0}, {7034,3,3,0}, {7040,4,3,0}, {7047,5,3,0},
    {7055,6,3,0}, {7064,8,3,0}, {7075,8,3,0}, {7086,8,3,0}, {7097,8,3,0}, {7108,8,3,0}, {7119,8,3,0}, {7130,8,3,0},
    {7141,8,3,0}, {7152,5,3,0}, {7160,7,3,0}, {7170,8,3,0}, {7181,6,3,0}, {7190,5,2,0}, {7197,7,3,0}, {7207,5,2,0},
    {7214,4,4,0}, {7222,2,3,0}, {7227,3,3,0}, {7233,6,3,0}, {7242,3,3,0}, {7248,4,3,0}, {7255,4,1,0}, {7260,6,3,0},
    {7269,8,3,0}, {7280,5,2,1}, {7287,4,4,0}, {7295,3,1,0}, {7299,5,3,0}, {7307,7,3,0}, {7317,6,2,1}, {7325,4,2,1},
    {7331,8,3,0}, {7342,5,3,0}, {7350,4,3,0}, {7357,8,3,0}, {7368,11,2,0}, {7381,9,3,0}, {7393,7,3,0}, {7403,9,3,0},
    {7415,6,3,0}, {7424,6,3,0}, {7433,8,3,0}, {7444,4,3,0}, {7451,8,3,0}, {7462,5,3,0}, {7470,3,2,0}, {7475,5,3,0},
    {7483,6,3,0}, {7492,7,3,0}, {7502,7,3,0}, {7512,5,2,0}, {7519,6,3,0}, {7528,4,2,0}, {7534,4,3,0}, {7541,7,3,0},
    {7551,3,4,0}, {7558,6,3,0}, {7567,7,3,0}, {7577,6,3,0}, {7586,7,3,0}, {7596,8,3,0}, {7607,9,3,0}, {7619,8,3,0},
    {7630,7,3,0}, {7640,15,3,0}, {7658,13,3,0}, {7674,8,3,0}, {7685,6,3,0}, {7694,8,3,0}, {7705,6,3,0}, {7714,12,3,0},
    {7729,11,3,0}, {7743,13,3,0}, {7759,17,3,0}, {7779,17,3,0}, {7799,18,3,0}, {7820,5,3,0}, {7828,5,3,0}, {7836,5,3,0},
    {7844,5,3,0}, {7852,5,3,0}, {7860,3,4,0}, {7867,7,6,0}, {7880,4,3,0}, {7887,4,4,0}, {7895,3,3,0}, {7901,6,3,0},
    {7910,6,3,0}, {7919,5,3,0}, {7927,5,3,0}, {7935,5,3,0}, {7943,5,3,0}, {7951,4,3,0}, {7958,5,3,0}, {7966,5,3,0},
    {7974,5,3,0}, {7982,5,3,0}, {7990,5,3,0}, {7998,5,3,0}, {8006,5,3,0}, {8014,5,3,0}, {8022,4,3,0}, {8029,5,3,0},
    {8037,5,3,0}, {8045,5,3,0}, {8053,5,3,0}, {8061,5,3,0}, {8069,5,3,0}, {8077,6,3,0}, {8086,5,3,0}, {8094,5,3,0},
    {8102,5,3,0}, {8110,5,3,0}, {8118,4,3,0}, {8125,5,3,0}, {8133,5,3,0}, {8141,5,3,0}, {8149,5,3,0}, {8157,8,3,0},
    {8168,7,3,0}, {8178,8,3,0}, {8189,5,3,0}, {8197,5,3,0}, {8205,5,3,0}, {8213,5,3,0}, {8221,4,3,0}, {8228,5,3,0},
    {8236,5,3,0}, {8244,5,3,0}, {8252,5,3,0}, {8260,5,3,0}, {8268,5,3,0}, {8276,6,3,0}, {8285,5,2,0}, {8292,6,2,1},
    {8300,4,4,0}, {8308,5,3,0}, {8316,4,3,0}, {8323,5,3,0}, {8331,4,1,0}, {8336,5,3,0}, {8344,8,3,0}, {8355,4,3,0},
    {8362,6,3,0}, {8371,4,3,0}, {8378,5,3,0}, {8386,5,3,0}, {8394,6,3,0}, {8403,6,2,0}, {8411,3,3,0}, {8417,6,3,0},
    {8426,8,3,0}, {8437,6,3,0}, {8446,6,3,0}, {8455,6,3,0}, {8464,4,6,0}, {8474,5,3,0}, {8482,5,2,0}, {8489,5,3,0},
    {8497,6,2,0}, {8505,6,2,1}, {8513,5,2,0}, {8520,5,3,0}, {8528,7,3,0}, {8538,4,2,0}, {8544,5,2,1}, {8551,7,3,0},
    {8561,4,2,1}, {8567,9,2,0}, {8578,3,4,0}, {8585,4,2,0}, {8591,5,3,0}, {8599,9,3,0}, {8611,3,2,0}, {8616,3,3,0},
    {8622,4,3,0}, {8629,4,2,0}, {8635,6,3,0}, {8644,15,3,0}, {8662,16,3,0}, {8681,8,2,0}, {8691,8,3,0}, {8702,10,3,0},
    {8715,11,3,0}, {8729,11,3,0}, {8743,4,3,0}, {8750,8,3,0}, {8761,6,3,0}, {8770,7,3,0}, {8780,5,3,0}, {8788,8,3,0},
    {8799,5,1,0}, {8805,6,3,0}, {8814,7,3,0}, {8824,5,1,0}, {8830,6,1,0}, {8837,4,3,0}, {8844,6,3,0}, {8853,10,3,0},
    {8866,9,3,0}, {8878,4,3,0}, {8885,7,3,0}, {8895,6,3,0}, {8904,4,4,0}, {8912,6,3,0}, {8921,4,2,1}, {8927,6,3,0},
    {8936,5,3,0}, {8944,5,3,0}, {8952,4,4,0}, {8960,4,3,0}, {8967,5,3,0}, {8975,4,3,0}, {8982,5,3,0}, {8990,5,3,0},
    {8998,7,3,0}, {9008,7,3,0}, {9018,5,3,0}, {9026,5,3,0}, {9034,6,3,0}, {9043,7,3,0}, {9053,3,3,0}, {9059,8,3,0},
    {9070,6,3,0}, {9079,6,3,0}, {9088,6,3,0}, {9097,5,3,0}, {9105,4,6,0}, {9115,6,3,0}, {9124,7,3,0}, {9134,11,3,0},
    {9148,11,3,0}, {9162,8,3,0}, {9173,10,3,0}, {9186,6,2,1}, {9194,14,3,0}, {9211,15,3,0}, {9229,5,3,0}, {9237,5,3,0},
    {9245,8,3,0}, {9256,5,3,0}, {9264,6,3,0}, {9273,4,3,0}, {9280,4,3,0}, {9287,6,3,0}, {9296,6,3,0}, {9305,4,3,0},
    {9312,4,3,0}, {9319,5,3,0}, {9327,7,3,0}, {9337,5,2,0}, {9344,6,2,0}, {9352,3,2,0}, {9357,2,3,0}, {9362,7,3,0},
    {9372,5,3,0}, {9380,7,3,0}, {9390,3,2,1}, {9395,5,2,0}, {9402,7,3,0}, {9412,6,3,0}, {9421,3,4,0}, {9428,5,3,0},
    {9436,5,3,0}, {9444,4,3,0}, {9451,7,3,0}, {9461,11,3,0}, {9475,5,3,0}, {9483,3,2,0}, {9488,7,2,0}, {9497,5,3,0},
    {9505,3,2,0}, {9510,6,2,1}, {9518,13,3,0}, {9534,6,3,0}, {9543,4,2,0}, {9549,6,3,0}, {9558,6,3,0}, {9567,6,1,0},
    {9574,4,4,0}, {9582,3,2,0}, {9587,5,3,0}, {9595,8,3,0}, {9606,8,3,0}, {9617,7,3,0}, {9627,9,3,0}, {9639,14,3,0},
    {9656,9,3,0}, {9668,14,3,0}, {9685,15,3,0}, {9703,16,3,0}, {9722,8,3,0}, {9733,6,3,0}, {9742,6,3,0}, {9751,4,4,0},
    {9759,4,2,0}, {9765,4,3,0}, {9772,6,2,0}, {9780,5,3,0}, {9788,4,3,0}, {9795,5,3,0}, {9803,5,3,0}, {9811,5,3,0},
    {9819,7,3,0}, {9829,4,2,0}, {9835,8,3,0}, {9846,5,3,0}, {9854,4,3,0}, {9861,6,2,1}, {9869,6,3,0}, {9878,6,2,0},
    {9886,4,3,0}, {9893,5,2,1}, {9900,6,3,0}, {9909,3,2,0}, {9914,4,2,0}, {9920,2,3,0}, {9925,5,3,0}, {9933,3,4,0},
    {9940,2,3,0}, {9945,6,2,1}, {9953,3,3,0}, {9959,6,3,0}, {9968,2,3,0}, {9973,8,3,0}, {9984,3,3,0}, {9990,3,3,0},
    {9996,6,3,0}, {10005,5,2,0}, {10012,5,3,0}, {10020,8,3,0}, {10031,6,3,0}, {10040,4,3,0}, {10047,6,3,0}, {10056,6,3,0},
    {10065,3,2,0}, {10070,4,3,0}, {10077,5,2,0}, {10084,4,4,0}, {10092,4,3,0}, {10099,6,3,0}, {10108,5,3,0}, {10116,4,2,0},
    {10122,7,2,0}, {10131,5,2,0}, {10138,6,3,0}, {10147,7,3,0}, {10157,5,3,0}, {10165,10,3,0}, {10178,11,3,0}, {10192,6,1,0},
    {10199,6,3,0}, {10208,5,3,0}, {10216,7,3,0}, {10226,8,3,0}, {10237,5,3,0}, {10245,5,3,0}, {10253,4,3,0}, {10260,5,3,0},
    {10268,4,3,0}, {10275,3,2,0}, {10280,3,2,1}, {10285,4,2,1}, {10291,4,3,0}, {10298,4,1,0}, {10303,5,3,0}, {10311,11,3,0},
    {10325,12,3,0}, {10340,13,3,0}, {10356,3,2,0}, {10361,6,3,0}, {10370,6,3,0}, {10379,5,3,0}, {10387,6,3,0}, {10396,3,4,0},
    {10403,5,3,0}, {10411,5,2,0}, {10418,4,3,0}, {10425,5,3,0}, {10433,5,3,0}, {10441,4,2,0}, {10447,4,4,0}, {10455,6,3,0},
    {10464,4,3,0}, {10471,5,3,0}, {10479,8,3,0}, {10490,6,2,1}, {10498,6,3,0}, {10507,6,2,1}, {10515,6,3,0}, {10524,6,3,0},
    {10533,6,3,0}, {10542,6,3,0}, {10551,6,3,0}, {10560,6,2,1}, {10568,6,3,0}, {10577,6,3,0}, {10586,6,3,0}, {10595,6,3,0},
    {10604,6,3,0}, {10613,6,3,0}, {10622,5,3,0}, {10630,5,3,0}, {10638,4,4,0}, {10646,2,3,0}, {10651,3,3,0}, {10657,6,2,0},
    {10665,5,2,0}, {10672,6,2,0}, {10680,3,3,0}, {10686,6,2,0}, {10694,5,2,0}, {10701,3,2,0}, {10706,4,2,0}, {10712,2,3,0},
    {10717,3,3,0}, {10723,3,3,0}, {10729,4,3,0}, {10736,8,3,0}, {10747,3,3,0}, {10753,5,3,0}, {10761,6,3,0}, {10770,7,3,0},
    {10780,8,3,0}, {10791,4,6,0}, {10801,6,3,0}, {10810,3,4,0}, {10817,2,3,0}, {10822,3,3,0}, {10828,5,3,0}, {10836,4,2,0},
    {10842,2,3,0}, {10847,3,3,0}, {10853,3,3,0}, {10859,3,3,0}, {10865,3,3,0}, {10871,4,3,0}, {10878,8,3,0}, {10889,3,3,0},
    {10895,4,3,0}, {10902,5,3,0}, {10910,5,3,0}, {10918,4,4,0}, {10926,5,1,0}, {10932,4,3,0}, {10939,4,3,0}, {10946,5,3,0},
    {10954,5,3,0}, {10962,2,1,1}, {10965,4,3,0}, {10972,5,3,0}, {10980,5,3,0}, {10988,6,3,0}, {10997,7,3,0}, {11007,9,3,0},
    {11019,6,3,0}, {11028,6,3,0}, {11037,9,3,0}, {11049,10,3,0}, {11062,7,3,0}, {11072,6,3,0}, {11081,9,6,0}, {11096,4,6,0},
    {11106,4,3,0}, {11113,6,3,0}, {11122,4,2,0}, {11128,6,3,0}, {11137,6,2,0}, {11145,4,3,0}, {11152,7,3,0}, {11162,5,3,0},
    {11170,4,3,0}, {11177,5,2,0}, {11184,6,3,0}, {11193,9,3,0}, {11205,6,3,0}, {11214,6,3,0}, {11223,3,4,0}, {11230,8,3,0},
    {11241,8,3,0}, {11252,5,3,0}, {11260,6,3,0}, {11269,13,3,0}, {11285,14,3,0}, {11302,4,4,0}, {11310,6,3,0}, {11319,4,4,0},
    {11327,6,3,0}, {11336,6,2,0}, {11344,6,3,0}, {11353,6,3,0}, {11362,6,2,1}, {11370,2,3,0}, {11375,5,2,1}, {11382,3,2,0},
    {11387,4,2,0}, {11393,5,2,1}, {11400,3,3,0}, {11406,3,4,0}, {11413,6,2,1}, {11421,2,3,0}, {11426,6,3,0}, {11435,5,3,0},
    {11443,6,3,0}, {11452,5,3,0}, {11460,5,2,0}, {11467,5,2,0}, {11474,5,3,0}, {11482,8,3,0}, {11493,8,3,0}, {11504,5,2,0},
    {11511,4,3,0}, {11518,5,2,0}, {11525,2,3,0}, {11530,6,3,0}, {11539,5,3,0}, {11547,8,3,0}, {11558,6,2,0}, {11566,3,3,0},
    {11572,6,3,0}, {11581,8,3,0}, {11592,8,3,0}, {11603,8,3,0}, {11614,7,3,0}, {11624,4,2,0}, {11630,5,2,0}, {11637,4,4,0},
    {11645,4,2,0}, {11651,5,3,0}, {11659,6,2,1}, {11667,4,4,0}, {11675,4,3,0}, {11682,5,3,0}, {11690,7,3,0}, {11700,5,3,0},
    {11708,6,3,0}, {11717,5,3,0}, {11725,2,3,0}, {11730,6,2,0}, {11738,5,2,0}, {11745,4,2,1}, {11751,5,2,0}, {11758,3,2,0},
    {11763,3,4,0}, {11770,5,2,0}, {11777,4,4,0}, {11785,4,4,0}, {11793,6,2,0}, {11801,5,2,0}, {11808,5,2,0}, {11815,6,2,0},
    {11823,6,2,0}, {11831,3,2,0}, {11836,3,4,0}, {11843,6,2,0}, {11851,4,2,0}, {11857,4,2,0}, {11863,4,4,0}, {11871,4,4,0},
    {11879,5,3,0}, {11887,4,3,0}, {11894,6,3,0}, {11903,5,3,0}, {11911,2,3,0}, {11916,3,3,0}, {11922,4,3,0}, {11929,6,2,0},
    {11937,8,3,0}, {11948,6,3,0}, {11957,6,2,0}, {11965,4,3,0}, {11972,5,3,0}, {11980,6,3,0}, {11989,3,3,0}, {11995,5,2,1},
    {12002,4,3,0}, {12009,5,3,0}, {12017,7,3,0}, {12027,6,3,0}, {12036,6,3,0}, {12045,6,3,0}, {12054,6,3,0}, {12063,7,3,0},
    {12073,6,3,0}, {12082,3,3,0}, {12088,6,3,0}, {12097,4,3,0}, {12104,5,6,0}, {12115,5,3,0}, {12123,5,3,0}, {12131,6,1,0},
    {12138,6,1,0}, {12145,5,3,0}, {12153,7,3,0}, {12163,7,3,0}, {12173,6,2,0}, {12181,6,2,0}, {12189,5,3,0}, {12197,4,1,0},
    {12202,3,2,0}, {12207,4,3,0}, {12214,5,3,0}, {12222,6,3,0}, {12231,7,3,0}, {12241,8,3,0}, {12252,4,3,0}, {12259,2,3,0},
    {12264,9,3,0}, {12276,13,3,0}, {12292,15,3,0}, {12310,13,3,0}, {12326,14,3,0}, {12343,14,3,0}, {12360,15,3,0}, {12378,17,3,0},
    {12398,19,3,0}, {12420,14,3,0}, {12437,3,3,0}, {12443,3,3,0}, {12449,4,3,0}, {12456,8,3,0}, {12467,3,3,0}, {12473,5,3,0},
    {12481,6,3,0}, {12490,7,3,0}, {12500,8,3,0}, {12511,4,6,0}, {12521,6,3,0}, {12530,10,3,0}, {12543,7,3,0}, {12553,9,3,0},
    {12565,10,3,0}, {12578,7,3,0}, {12588,7,3,0}, {12598,6,3,0}, {12607,6,3,0}, {12616,3,4,0}, {12623,2,3,0}, {12628,3,3,0},
    {12634,5,3,0}, {12642,5,3,0}, {12650,6,3,0}, {12659,5,3,0}, {12667,4,2,0}, {12673,2,3,0}, {12678,5,3,0}, {12686,8,3,0},
    {12697,6,3,0}, {12706,5,3,0}, {12714,6,2,0}, {12722,6,3,0}, {12731,10,3,0}, {12744,3,3,0}, {12750,4,3,0}, {12757,8,3,0},
    {12768,3,3,0}, {12774,4,3,0}, {12781,5,3,0}, {12789,5,3,0}, {12797,5,3,0}, {12805,5,3,0}, {12813,5,3,0}, {12821,13,3,0},
    {12837,18,3,0}, {12858,10,3,0}, {12871,14,3,0}, {12888,13,3,0}, {12904,14,3,0}, {12921,5,3,0}, {12929,4,4,0}, {12937,6,3,0},
    {12946,7,3,0}, {12956,6,3,0}, {12965,6,1,0}, {12972,3,3,0}, {12978,7,3,0}, {12988,4,3,0}, {12995,4,1,0}, {13000,6,3,0},
    {13009,5,3,0}, {13017,8,3,0}, {13028,5,3,0}, {13036,6,3,0}, {13045,3,3,0}, {13051,5,3,0}, {13059,6,3,0}, {13068,4,4,0},
    {13076,3,3,0}, {13082,4,3,0}, {13089,5,3,0}, {13097,5,3,0}, {13105,4,1,0}, {13110,5,3,0}, {13118,6,3,0}, {13127,6,2,0},
    {13135,2,1,1}, {13138,4,3,0}, {13145,5,3,0}, {13153,5,3,0}, {13161,6,3,0}, {13170,6,3,0}, {13179,6,3,0}, {13188,7,3,0},
    {13198,6,3,0}, {13207,4,3,0}, {13214,5,3,0}, {13222,5,3,0}, {13230,8,3,0}, {13241,7,3,0}, {13251,9,6,0}, {13266,4,6,0},
    {13276,5,3,0}, {13284,4,2,1}, {13290,4,3,0}, {13297,4,3,0}, {13304,7,3,0}, {13314,3,3,0}, {13320,6,3,0}, {13329,10,3,0},
    {13342,10,3,0}, {13355,8,3,0}, {13366,6,3,0}, {13375,6,3,0}, {13384,3,2,0}, {13389,5,3,0}, {13397,13,3,0}, {13413,3,4,0},
    {13420,3,3,0}, {13426,5,2,1}, {13433,3,3,0}, {13439,6,1,0}, {13446,6,3,0}, {13455,6,2,1}, {13463,5,3,0}, {13471,6,3,0},
    {13480,6,3,0}, {13489,7,3,0}, {13499,4,3,0}, {13506,4,3,0}, {13513,6,3,0}, {13522,6,3,0}, {13531,4,4,0}, {13539,2,3,0},
    {13544,4,4,0}, {13552,6,3,0}, {13561,2,2,0}, {13565,8,3,0}, {13576,5,3,0}, {13584,3,5,0}, {13592,3,6,0}, {13601,4,5,0},
    {13610,10,3,0}, {13623,15,3,0}, {13641,3,5,0}, {13649,3,6,0}, {13658,4,5,0}, {13667,11,3,0}, {13681,6,3,0}, {13690,6,3,0},
    {13699,5,3,0}, {13707,6,2,0}, {13715,4,6,0}, {13725,3,3,0}, {13731,4,5,0}, {13740,5,5,0}, {13750,5,2,0}, {13757,7,3,0},
    {13767,5,3,0}, {13775,7,3,0}, {13785,8,3,0}, {13796,4,2,1}, {13802,5,5,0}, {13812,6,5,0}, {13823,4,3,0}, {13830,6,2,0},
    {13838,6,2,0}, {13846,5,3,0}, {13854,8,5,0}, {13867,4,3,0}, {13874,3,2,0}, {13879,5,3,0}, {13887,2,3,0}, {13892,5,3,0},
    {13900,6,3,0}, {13909,5,3,0}, {13917,7,3,0}, {13927,5,5,0}, {13937,6,3,0}, {13946,6,3,0}, {13955,5,5,0}, {13965,6,3,0},
    {13974,7,3,0}, {13984,3,4,0}, {13991,3,5,0}, {13999,3,3,0}, {14005,4,3,0}, {14012,5,5,0}, {14022,9,5,0}, {14036,4,5,0},
    {14045,5,3,0}, {14053,3,3,0}, {14059,4,3,0}, {14066,5,3,0}, {14074,5,3,0}, {14082,5,3,0}, {14090,2,3,0}, {14095,3,3,0},
    {14101,4,3,0}, {14108,3,3,0}, {14114,4,2,0}, {14120,5,3,0}, {14128,3,5,0}, {14136,5,3,0}, {14144,4,3,0}, {14151,3,3,0},
    {14157,10,3,0}, {14170,15,3,0}, {14188,4,3,0}, {14195,5,5,0}, {14205,9,5,0}, {14219,4,5,0}, {14228,5,3,0}, {14236,5,3,0},
    {14244,3,3,0}, {14250,5,3,0}, {14258,6,3,0}, {14267,4,3,0}, {14274,4,4,0}, {14282,3,2,1}, {14287,5,3,0}, {14295,6,5,0},
    {14306,8,5,0}, {14319,7,3,0}, {14329,7,3,0}, {14339,7,3,0}, {14349,5,3,0}, {14357,7,3,0}, {14367,7,3,0}, {14377,7,3,0},
    {14387,4,3,0}, {14394,9,3,0}, {14406,6,6,0}, {14418,5,5,0}, {14428,7,3,0}, {14438,3,3,0}, {14444,6,3,0}, {14453,4,5,0},
    {14462,5,3,0}, {14470,7,5,0}, {14482,5,3,0}, {14490,5,3,0}, {14498,6,5,0}, {14509,6,5,0}, {14520,11,3,0}, {14534,5,3,0},
    {14542,6,3,0}, {14551,3,3,0}, {14557,6,3,0}, {14566,4,5,0}, {14575,4,4,0}, {14583,9,3,0}, {14595,14,3,0}, {14612,4,3,0},
    {14619,5,3,0}, {14627,6,3,0}, {14636,5,3,0}, {14644,5,3,0}, {14652,7,3,0}, {14662,7,3,0}, {14672,4,3,0}, {14679,5,5,0},
    {14689,5,3,0}, {14697,7,6,0}, {14710,9,3,0}, {14722,10,5,0}, {14737,5,3,0}, {14745,7,5,0}, {14757,4,3,0}, {14764,5,5,0},
    {14774,5,3,0}, {14782,7,6,0}, {14795,9,3,0}, {14807,10,5,0}, {14822,4,3,0}, {14829,6,2,1}, {14837,4,3,0}, {14844,13,3,0},
    {14860,15,3,0}, {14878,14,3,0}, {14895,16,3,0}, {14914,2,2,0}, {14918,3,1,0}, {14922,6,3,0}, {14931,5,3,0}, {14939,6,3,0},
    {14948,6,3,0}, {14957,4,6,0}, {14967,6,3,0}, {14976,4,6,0}, {14986,4,4,0}, {14994,7,3,0}, {15004,6,3,0}, {15013,4,6,0},
    {15023,4,4,0}, {15031,7,6,0}, {15044,6,3,0}, {15053,7,6,0}, {15066,5,6,0}, {15077,5,3,0}, {15085,6,3,0}, {15094,5,3,0},
    {15102,7,3,0}, {15112,6,3,0}, {15121,2,3,0}, {15126,6,2,1}, {15134,4,3,0}, {15141,4,3,0}, {15148,5,2,1}, {15155,3,2,0},
    {15160,5,3,0}, {15168,6,2,0}, {15176,4,3,0}, {15183,4,3,0}, {15190,6,3,0}, {15199,5,2,0}, {15206,5,3,0}, {15214,3,4,0},
    {15221,4,2,0}, {15227,6,2,1}, {15235,3,3,0}, {15241,5,3,0}, {15249,3,2,0}, {15254,4,3,0}, {15261,5,3,0}, {15269,5,3,0},
    {15277,7,3,0}, {15287,5,3,0}, {15295,3,3,0}, {15301,5,2,0}, {15308,5,2,0}, {15315,7,2,0}, {15324,4,3,0}, {15331,6,3,0},
    {15340,4,4,0}, {15348,4,3,0}, {15355,5,3,0}, {15363,5,3,0}, {15371,2,3,0}, {15376,5,3,0}, {15384,3,3,0}, {15390,5,3,0},
    {15398,7,3,0}, {15408,4,2,1}, {15414,4,2,1}, {15420,6,3,0}, {15429,4,3,0}, {15436,7,3,0}, {15446,3,3,0}, {15452,4,3,0},
    {15459,6,2,1}, {15467,4,3,0}, {15474,6,2,1}, {15482,6,3,0}, {15491,8,3,0}, {15502,4,2,1}, {15508,5,3,0}, {15516,3,3,0},
    {15522,4,2,1}, {15528,8,3,0}, {15539,6,3,0}, {15548,5,3,0}, {15556,4,3,0}, {15563,3,2,0}, {15568,6,1,0}, {15575,6,1,0},
    {15582,6,3,0}, {15591,4,3,0}, {15598,7,3,0}, {15608,3,4,0}, {15615,3,2,0}, {15620,4,2,0}, {15626,6,3,0}, {15635,5,3,0},
    {15643,2,2,0}, {15647,9,3,0}, {15659,3,2,0}, {15664,6,3,0}, {15673,7,3,0}, {15683,6,3,0}, {15692,4,1,0}, {15697,8,3,0},
    {15708,5,3,0}, {15716,7,3,0}, {15726,6,3,0}, {15735,6,3,0}, {15744,5,3,0}, {15752,6,2,1}, {15760,7,3,0}, {15770,7,3,0},
    {15780,2,2,0}, {15784,8,3,0}, {15795,4,4,0}, {15803,5,2,1}, {15810,2,3,0}, {15815,3,3,0}, {15821,4,3,0}, {15828,5,3,0},
    {15836,3,3,0}, {15842,4,3,0}, {15849,10,3,0}, {15862,11,3,0}, {15876,6,3,0}, {15885,11,3,0}, {15899,8,3,0}, {15910,8,3,0},
    {15921,7,3,0}, {15931,5,3,0}, {15939,6,3,0}, {15948,4,3,0}, {15955,5,3,0}, {15963,6,3,0}, {15972,4,3,0}, {15979,8,3,0},
    {15990,8,3,0}, {16001,8,3,0}, {16012,4,3,0}, {16019,6,3,0}, {16028,5,3,0}, {16036,6,3,0}, {16045,4,4,0}, {16053,3,2,0},
    {16058,6,3,0}, {16067,3,4,0}, {16074,4,3,0}, {16081,4,4,0}, {16089,6,3,0}, {16098,4,4,0}, {16106,11,3,0}, {16120,7,3,0},
    {16130,5,1,0}, {16136,7,3,0}, {16146,4,1,1}, {16151,5,3,0}, {16159,4,3,0}, {16166,6,3,0}, {16175,5,3,0}, {16183,4,3,0},
    {16190,4,5,0}, {16199,6,2,0}, {16207,5,3,0}, {16215,8,3,0}, {16226,4,3,0}, {16233,5,3,0}, {16241,5,3,0}, {16249,6,3,0},
    {16258,5,2,1}, {16265,4,3,0}, {16272,6,3,0}, {16281,5,3,0}, {16289,7,3,0}, {16299,5,3,0}, {16307,6,3,0}, {16316,6,3,0},
    {16325,6,3,0}, {16334,6,3,0}, {16343,7,3,0}, {16353,6,3,0}, {16362,5,3,0}, {16370,6,3,0}, {16379,5,3,0}, {16387,9,3,0},
    {16399,5,3,0}, {16407,5,3,0}, {16415,6,1,0}, {16422,6,1,0}, {16429,5,3,0}, {16437,7,3,0}, {16447,7,3,0}, {16457,6,2,0},
    {16465,6,2,0}, {16473,5,3,0}, {16481,4,1,0}, {16486,3,2,0}, {16491,4,3,0}, {16498,7,3,0}, {16508,5,3,0}, {16516,6,3,0},
    {16525,4,3,0}, {16532,4,3,0}, {16539,7,3,0}, {16549,8,3,0}, {16560,5,3,0}, {16568,4,3,0}, {16575,3,2,1}, {16580,6,3,0},
    {16589,6,3,0}, {16598,3,4,0}, {16605,5,3,0}, {16613,5,3,0}, {16621,6,3,0}, {16630,3,2,0}, {16635,4,2,0}, {16641,10,3,0},
    {16654,14,3,0}, {16671,16,3,0}, {16690,14,3,0}, {16707,15,3,0}, {16725,17,3,0}, {16745,16,3,0}, {16764,15,3,0}, {16782,15,3,0},
    {16800,4,2,0}, {16806,12,3,0}, {16821,5,3,0}, {16829,5,3,0}, {16837,3,3,0}, {16843,6,3,0}, {16852,10,3,0}, {16865,5,3,0},
    {16873,5,3,0}, {16881,5,3,0}, {16889,5,3,0}, {16897,5,3,0}, {16905,4,4,0}, {16913,6,3,0}, {16922,7,3,0}, {16932,4,1,0},
    {16937,6,3,0}, {16946,8,3,0}, {16957,5,3,0}, {16965,6,3,0}, {16974,4,4,0}, {16982,3,3,0}, {16988,4,1,0}, {16993,5,3,0},
    {17001,6,3,0}, {17010,6,3,0}, {17019,6,3,0}, {17028,4,3,0}, {17035,5,3,0}, {17043,5,3,0}, {17051,8,3,0}, {17062,7,3,0},
    {17072,2,3,0}, {17077,6,2,0}, {17085,5,3,0}, {17093,2,3,0}, {17098,3,3,0}, {17104,4,3,0}, {17111,6,2,0}, {17119,5,3,0},
    {17127,3,3,0}, {17133,6,2,0}, {17141,5,2,0}, {17148,4,3,0}, {17155,5,3,0}, {17163,6,3,0}, {17172,8,3,0}, {17183,5,3,0},
    {17191,3,2,0}, {17196,4,3,0}, {17203,5,3,0}, {17211,5,3,0}, {17219,5,3,0}, {17227,6,3,0}, {17236,5,3,0}, {17244,7,3,0},
    {17254,4,2,1}, {17260,4,1,0}, {17265,6,3,0}, {17274,8,3,0}, {17285,5,3,0}, {17293,4,3,0}, {17300,3,4,0}, {17307,6,3,0},
    {17316,5,3,0}, {17324,6,2,0}, {17332,4,2,0}, {17338,8,3,0}, {17349,13,3,0}, {17365,3,2,1}, {17370,5,2,0}, {17377,6,2,0},
    {17385,6,2,0}, {17393,3,3,0}, {17399,6,3,0}, {17408,4,3,0}, {17415,5,3,0}, {17423,4,3,0}, {17430,5,3,0}, {17438,4,3,0},
    {17445,5,3,0}, {17453,5,3,0}, {17461,7,3,0}, {17471,7,3,0}, {17481,5,3,0}, {17489,13,3,0}, {17505,6,3,0}, {17514,8,3,0},
    {17525,4,3,0}, {17532,5,3,0}, {17540,3,3,0}, {17546,4,3,0}, {17553,5,6,0}, {17564,6,2,0}, {17572,3,1,0}, {17576,4,3,0},
    {17583,6,3,0}, {17592,4,4,0}, {17600,6,3,0}, {17609,9,3,0}, {17621,4,3,0}, {17628,5,3,0}, {17636,6,6,0}, {17648,5,3,0},
    {17656,6,6,0}, {17668,5,3,0}, {17676,6,3,0}, {17685,8,3,0}, {17696,10,3,0}, {17709,5,3,0}, {17717,6,3,0}, {17726,8,3,0},
    {17737,10,3,0}, {17750,3,3,0}, {17756,6,3,0}, {17765,6,3,0}, {17774,4,3,0}, {17781,5,3,0}, {17789,4,4,0}, {17797,6,3,0},
    {17806,6,3,0}, {17815,6,3,0}, {17824,4,3,0}, {17831,5,3,0}, {17839,15,2,0}, {17856,11,2,0}, {17869,5,2,0}, {17876,3,3,0},
    {17882,4,3,0}, {17889,6,3,0}, {17898,4,3,0}, {17905,7,3,0}, {17915,7,3,0}, {17925,5,3,0}, {17933,5,3,0}, {17941,7,3,0},
    {17951,7,3,0}, {17961,6,3,0}, {17970,8,3,0}, {17981,9,3,0}, {17993,9,3,0}, {18005,10,3,0}, {18018,6,3,0}, {18027,6,3,0},
    {18036,6,3,0}, {18045,4,3,0}, {18052,10,3,0}, {18065,11,3,0}, {18079,6,3,0}, {18088,11,3,0}, {18102,8,3,0}, {18113,8,3,0},
    {18124,7,3,0}, {18134,3,3,0}, {18140,4,3,0}, {18147,3,3,0}, {18153,4,2,1}, {18159,4,2,1}, {18165,4,2,1}, {18171,4,3,0},
    {18178,6,3,0}, {18187,7,3,0}, {18197,4,3,0}, {18204,7,3,0}, {18214,7,3,0}, {18224,7,3,0}, {18234,7,3,0}, {18244,7,3,0},
    {18254,5,3,0}, {18262,5,3,0}, {18270,7,3,0}, {18280,6,3,0}, {18289,8,3,0}, {18300,9,3,0}, {18312,9,3,0}, {18324,10,3,0},
    {18337,6,3,0}, {18346,6,3,0}, {18355,6,3,0}, {18364,5,3,0}, {18372,6,3,0}, {18381,5,3,0}, {18389,7,3,0}, {18399,6,3,0},
    {18408,5,2,1}, {18415,6,3,0}, {18424,3,2,0}, {18429,4,3,0}, {18436,6,2,0}, {18444,6,2,0}, {18452,3,2,0}, {18457,4,3,0},
    {18464,6,3,0}, {18473,3,4,0}, {18480,6,3,0}, {18489,9,3,0}, {18501,5,2,0}, {18508,8,2,0}, {18518,6,2,0}, {18526,11,3,0},
    {18540,8,3,0}, {18551,6,3,0}, {18560,5,3,0}, {18568,6,3,0}, {18577,5,2,1}, {18584,5,2,0}, {18591,5,2,1}, {18598,6,3,0},
    {18607,8,3,0}, {18618,6,3,0}, {18627,4,3,0}, {18634,4,3,0}, {18641,3,3,0}, {18647,6,3,0}, {18656,6,3,0}, {18665,4,4,0},
    {18673,7,3,0}, {18683,4,3,0}, {18690,6,3,0}, {18699,5,3,0}, {18707,8,3,0}, {18718,12,3,0}, {18733,12,3,0}, {18748,14,3,0},
    {18765,9,3,0}, {18777,13,3,0}, {18793,15,3,0}, {18811,6,3,0}, {18820,4,3,0}, {18827,8,3,0}, {18838,7,3,0}, {18848,5,3,0},
    {18856,7,3,0}, {18866,8,3,0}, {18877,4,4,0}, {18885,4,2,0}, {18891,5,2,0}, {18898,6,2,0}, {18906,5,3,0}, {18914,16,3,0},
    {18933,17,3,0}, {18953,4,3,0}, {18960,4,3,0}, {18967,6,2,1}, {18975,4,3,0}, {18982,5,2,0}, {18989,6,2,0}, {18997,5,2,1},
    {19004,3,2,0}, {19009,5,3,0}, {19017,6,2,0}, {19025,5,3,0}, {19033,6,3,0}, {19042,3,4,0}, {19049,6,2,1}, {19057,5,3,0},
    {19065,5,3,0}, {19073,5,3,0}, {19081,6,3,0}, {19090,8,3,0}, {19101,6,3,0}, {19110,5,3,0}, {19118,5,2,0}, {19125,3,2,1},
    {19130,5,2,0}, {19137,4,4,0}, {19145,7,3,0}, {19155,11,3,0}, {19169,13,3,0}, {19185,14,3,0}, {19202,5,3,0}, {19210,4,2,0},
    {19216,5,2,0}, {19223,7,2,0}, {19232,10,3,0}, {19245,6,3,0}, {19254,8,3,0}, {19265,6,3,0}, {19274,5,2,0}, {19281,5,3,0},
    {19289,4,4,0}, {19297,5,3,0}, {19305,6,2,0}, {19313,4,3,0}, {19320,5,3,0}, {19328,5,3,0}, {19336,4,2,1}, {19342,7,3,0},
    {19352,4,3,0}, {19359,4,3,0}, {19366,5,3,0}, {19374,5,3,0}, {19382,6,3,0}, {19391,10,2,0}, {19403,8,2,0}, {19413,10,3,0},
    {19426,6,2,0}, {19434,5,2,0}, {19441,9,3,0}, {19453,4,3,0}, {19460,6,2,0}, {19468,8,2,0}, {19478,12,6,0}, {19496,13,6,0},
    {19515,12,6,0}, {19533,13,6,0}, {19552,8,2,0}, {19562,15,3,0}, {19580,16,3,0}, {19599,3,2,0}, {19604,5,3,0}, {19612,3,3,0},
    {19618,6,3,0}, {19627,5,3,0}, {19635,6,3,0}, {19644,6,1,0}, {19651,4,1,0}, {19656,3,4,0}, {19663,5,3,0}, {19671,5,6,0},
    {19682,5,6,0}, {19693,4,4,0}, {19701,5,3,0}, {19709,5,3,0}, {19717,4,4,0}, {19725,6,6,0}, {19737,6,6,0}, {19749,6,6,0},
    {19761,6,6,0}, {19773,7,3,0}, {19783,5,2,0}, {19790,6,3,0}, {19799,5,3,0}, {19807,6,3,0}, {19816,6,3,0}, {19825,3,4,0},
    {19832,4,4,0}, {19840,2,3,0}, {19845,2,3,0}, {19850,6,3,0}, {19859,4,4,0}, {19867,4,3,0}, {19874,5,3,0}, {19882,4,3,0},
    {19889,5,3,0}, {19897,3,4,0}, {19904,5,3,0}, {19912,5,3,0}, {19920,2,2,0}, {19924,5,3,0}, {19932,5,3,0}, {19940,4,3,0},
    {19947,4,3,0}, {19954,5,3,0}, {19962,4,4,0}, {19970,6,3,0}, {19979,6,3,0}, {19988,5,3,0}, {19996,5,3,0}, {20004,4,4,0},
    {20012,6,3,0}, {20021,6,3,0}, {20030,5,3,0}, {20038,4,3,0}, {20045,6,3,0}, {20054,6,2,1}, {20062,4,2,0}, {20068,5,2,0},
    {20075,3,2,0}, {20080,3,2,1}, {20085,3,4,0}, {20092,4,2,0}, {20098,4,4,0}, {20106,4,4,0}, {20114,4,2,0}, {20120,4,2,1},
    {20126,6,2,0}, {20134,6,2,0}, {20142,3,2,0}, {20147,4,2,0}, {20153,6,3,0}, {20162,4,2,0}, {20168,3,4,0}, {20175,4,2,0},
    {20181,7,3,0}, {20191,4,4,0}, {20199,4,4,0}, {20207,3,3,0}, {20213,4,3,0},
}};

const std::array<std::uint16_t, kReferenceSlots> kReferenceIndex = {{
    0,0,0,0,0,0,0,719,0,0,0,0,148,0,0,0,
    0,0,0,0,0,0,0,0,720,0,648,0,0,0,0,0,
    0,0,0,0,0,245,0,721,0,0,0,288,263,0,0,1087,
    0,0,0,1091,0,0,0,0,150,722,0,0,0,0,0,0,
    1930,0,260,0,1445,0,0,0,414,419,0,819,1804,0,0,0,
    276,0,1950,0,0,1928,0,382,0,0,1328,0,0,0,0,0,
    0,0,1233,0,0,0,0,0,0,0,0,0,0,0,0,795,
    0,0,461,0,0,1466,0,6,1706,0,0,0,143,0,0,0,
    0,1545,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    61,0,581,0,0,0,0,0,0,0,0,0,0,0,424,149,
    0,1336,0,0,799,1399,0,0,0,0,0,973,0,0,0,0,
    0,0,434,1411,409,0,0,0,0,377,403,0,0,0,0,0,
    0,0,0,1508,0,0,0,0,0,467,0,0,800,7,0,415,
    0,1148,1311,0,65,0,0,0,0,425,0,0,0,0,1068,0,
    0,0,0,1562,0,0,0,0,0,0,0,0,0,0,0,317,
    0,0,0,1749,365,0,0,0,604,1094,0,0,0,0,0,0,
    0,1699,0,0,0,0,0,1700,837,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,1048,0,0,0,0,
    0,0,0,0,1101,0,0,0,0,0,0,1509,0,0,0,0,
    0,1279,0,0,447,0,0,0,0,0,0,0,0,0,9,0,
    0,1333,0,0,0,0,0,312,0,0,0,0,0,0,0,0,
    0,560,0,0,891,209,1949,0,0,1245,0,0,0,0,0,0,
    0,0,0,0,0,0,428,0,1821,0,0,1138,0,619,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,1918,0,621,
    1080,1230,0,0,0,0,0,0,0,686,0,0,0,511,1252,0,
    0,0,0,0,0,0,0,0,0,0,0,1199,442,1034,1296,385,
    1210,2040,723,0,0,0,0,0,724,0,0,0,0,0,1282,0,
    0,1631,1836,0,0,0,0,11,0,2125,0,0,0,728,0,0,
    0,729,725,1511,0,1967,0,730,726,0,0,623,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,1944,731,1946,0,
    0,732,1225,0,0,0,0,733,0,923,0,1698,0,0,1994,0,
    0,15,0,0,0,0,0,0,81,0,0,1137,813,0,0,0,
    0,0,0,0,1267,1069,0,0,0,0,0,0,0,0,1243,0,
    0,0,0,0,0,1113,0,0,1244,0,1247,0,0,0,0,1740,
    1634,0,147,974,0,0,0,453,0,0,1264,0,105,0,0,0,
    478,411,468,2008,0,0,0,0,1262,0,0,0,0,0,847,0,
    212,0,483,0,252,814,0,1428,0,0,0,0,0,0,1875,0,
    0,0,0,0,0,0,1158,0,0,0,0,0,0,0,0,401,
    0,279,892,2030,8,0,0,0,0,0,653,0,0,0,0,142,
    197,0,1170,0,0,1857,0,0,0,0,0,172,0,0,0,926,
    0,0,0,599,1160,0,0,1162,0,0,0,0,1628,1213,0,0,
    452,0,1121,0,0,0,213,1386,0,0,0,0,0,0,0,1108,
    0,0,0,0,0,0,0,53,0,0,0,1097,1173,0,0,0,
    1991,1049,0,0,138,349,0,0,0,0,839,1112,1365,1982,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,1439,0,0,1855,
    0,0,682,0,0,0,0,0,0,0,0,0,0,0,0,1670,
    0,0,0,0,126,0,0,0,0,0,1443,0,1446,0,0,1752,
    0,0,0,0,0,0,0,0,1390,1462,1463,431,1464,1999,0,0,
    512,0,0,1278,0,0,0,0,0,1667,0,0,0,0,0,0,
    1404,0,1251,0,0,0,0,0,903,1644,0,0,0,0,0,0,
    0,0,893,1281,874,0,810,0,0,0,0,0,0,0,0,0,
    0,0,1848,0,0,1500,0,0,1664,374,0,0,664,0,0,0,
    0,0,0,0,0,0,466,0,0,0,0,0,0,0,0,0,
    352,0,689,0,0,0,0,1300,1647,1711,1887,1306,1942,1951,0,0,
    88,0,0,1651,1559,0,0,0,0,0,0,0,0,1728,0,0,
    0,0,0,735,1496,255,701,0,0,736,0,0,0,1036,0,0,
    0,861,59,0,1736,0,0,155,0,0,0,0,0,0,0,0,
    0,0,833,737,1497,0,0,309,0,738,0,0,0,72,307,0,
    0,0,0,0,0,0,911,1309,0,0,0,1985,586,2001,0,0,
    1501,0,0,0,0,907,1863,18,0,0,0,0,0,0,0,0,
    0,905,1063,1313,1391,0,0,0,0,0,363,1607,0,397,0,0,
    0,0,0,0,0,0,1569,495,0,0,878,1645,0,0,0,0,
    1593,0,1571,0,0,0,0,740,0,0,0,2122,0,0,0,0,
    0,0,345,1597,0,0,0,0,741,1782,0,0,0,0,0,0,
    0,1990,0,2019,0,0,883,742,0,463,0,0,0,0,0,0,
    0,0,0,1601,0,1490,0,0,743,0,0,0,188,1280,1527,0,
    0,1755,0,0,439,589,1919,0,0,0,0,1274,0,760,0,0,
    887,1289,0,0,0,0,50,0,23,0,0,0,0,0,0,0,
    460,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,1860,0,0,487,2009,0,0,0,1502,0,0,464,
    0,211,0,0,0,1114,0,0,0,0,0,0,0,0,808,0,
    0,0,0,0,0,0,0,0,436,2114,356,0,0,0,0,0,
    894,0,0,805,0,0,0,117,0,0,0,0,0,706,27,0,
    0,897,2111,0,44,0,0,470,0,0,0,0,1219,0,0,0,
    0,0,0,0,0,0,0,913,0,0,0,0,0,1220,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,2049,0,0,
    0,0,0,816,0,0,0,0,0,314,957,0,0,0,1290,402,
    0,0,0,0,2000,0,0,0,0,0,0,0,915,0,0,0,
    128,0,0,0,0,791,0,0,0,0,2033,0,0,0,0,0,
    583,0,0,0,0,0,0,0,0,0,43,0,0,0,0,934,
    0,0,769,1338,0,0,272,1654,797,2047,0,0,0,0,280,0,
    0,0,1674,1811,0,0,52,0,0,540,0,0,0,0,1652,0,
    0,0,0,0,0,253,1504,0,0,0,1408,0,0,0,0,0,
    0,0,0,0,0,0,918,0,0,0,98,0,2101,473,684,451,
    0,1275,0,0,0,1505,0,0,0,906,0,1188,0,955,0,0,
    0,0,0,0,0,0,0,297,0,0,0,0,95,981,118,825,
    48,1342,1565,0,0,0,1288,0,0,0,935,0,0,0,0,0,
    0,1910,2084,379,0,0,0,0,0,0,0,0,0,0,0,1098,
    0,0,747,0,0,0,0,0,598,748,0,0,0,0,0,0,
    0,0,0,0,0,0,0,423,0,0,0,0,0,752,983,0,
    0,753,749,1349,0,0,0,754,750,1997,1988,0,0,0,0,0,
    0,0,1655,0,0,0,0,1553,0,0,0,2112,0,755,0,475,
    0,756,0,0,0,0,1911,757,0,0,0,0,0,0,0,0,
    0,324,372,1570,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,1104,1374,
    0,0,1360,0,1361,853,0,0,662,1352,0,1375,0,0,0,0,
    1844,222,0,0,848,1082,790,1820,1617,0,0,1621,2025,1339,230,1959,
    2067,0,0,0,1823,0,0,0,0,0,939,0,1340,1476,0,0,
    482,97,0,0,0,0,824,0,0,0,0,490,0,0,491,543,
    899,0,0,896,1353,1483,0,0,0,0,0,0,1681,0,0,0,
    0,0,0,0,1323,0,1790,0,1355,0,0,0,0,0,0,0,
    0,0,985,1859,0,0,0,223,1657,0,0,0,0,0,0,0,
    0,0,0,910,1491,404,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,224,0,0,1745,506,1193,
    1774,0,0,0,0,0,0,0,0,0,0,0,0,0,1379,567,
    0,0,0,0,0,232,1380,0,0,1977,0,0,0,1727,0,0,
    0,0,0,0,641,0,454,0,0,0,0,0,0,0,1298,532,
    0,0,0,0,51,1238,0,1641,0,1295,0,0,0,0,0,0,
    0,0,2050,1921,0,0,0,0,0,0,0,0,1637,0,2073,877,
    0,0,0,0,0,0,0,0,0,0,0,0,510,0,0,0,
    0,1320,0,0,0,0,0,1795,0,0,0,0,522,0,0,0,
    0,1819,265,0,0,1146,0,0,1969,0,0,866,0,0,0,0,
    0,0,0,0,1746,0,0,0,0,0,0,0,0,1945,0,0,
    0,0,0,0,0,0,0,0,0,1636,1159,1452,0,0,0,0,
    1261,430,0,0,0,0,0,0,0,0,0,167,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    1154,0,0,0,0,0,1943,0,0,0,0,0,0,0,1576,0,
    67,93,0,0,0,366,0,0,0,0,0,0,194,777,999,0,
    2034,0,0,0,625,0,0,0,0,846,0,0,2046,0,0,0,
    455,0,0,0,0,33,499,0,0,0,2010,1117,0,0,0,0,
    0,0,0,782,0,0,0,0,500,0,870,400,70,465,0,0,
    0,0,0,0,0,0,2048,0,0,0,0,940,0,0,171,0,
    0,0,0,0,0,0,0,0,0,0,690,871,0,0,0,0,
    0,0,35,0,0,0,1976,0,0,203,0,0,0,2026,0,0,
    0,2022,2054,0,0,2012,767,0,0,0,503,0,0,0,0,0,
    0,0,0,418,0,798,0,0,151,445,0,0,0,0,0,0,
    0,0,0,1876,1318,0,0,1780,0,0,0,0,0,0,0,1302,
    0,944,0,0,0,0,0,1522,0,1222,0,0,0,0,0,0,
    0,0,0,0,827,0,0,0,0,0,1779,0,0,0,0,0,
    0,947,0,0,0,1284,0,0,0,0,0,0,1150,1518,1920,0,
    62,504,734,1702,2120,2015,0,0,0,0,0,0,0,0,0,0,
    0,0,1412,1703,0,0,978,0,1877,1712,1414,0,0,0,0,821,
    1299,16,0,0,0,0,0,0,0,0,258,0,0,0,0,45,
    521,0,0,1100,0,0,281,1948,0,0,0,0,0,0,0,552,
    0,0,773,0,0,0,0,0,0,0,0,574,0,0,0,0,
    1359,0,0,0,0,1648,0,0,0,0,0,0,0,0,1425,0,
    66,761,0,0,46,557,0,0,0,0,0,0,660,0,109,0,
    0,238,0,1402,0,1369,0,0,0,153,0,0,0,561,1259,1006,
    0,0,0,0,137,951,1524,0,0,0,2096,0,952,0,0,208,
    0,0,1325,783,0,1303,1525,0,0,0,0,0,904,0,0,0,
    0,0,0,0,0,0,0,909,1761,0,0,0,0,0,0,0,
    1109,0,0,0,0,0,0,0,0,1089,1315,0,1316,0,961,0,
    0,0,0,0,0,0,0,0,0,0,0,0,1132,154,0,0,
    1856,0,0,0,0,0,1174,1792,0,0,0,0,0,2068,0,0,
    163,1406,0,0,0,0,55,0,553,0,0,0,0,173,0,0,
    0,2092,612,0,0,0,0,0,301,0,0,524,0,1388,1683,267,
    0,0,0,0,0,296,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,763,0,565,1767,0,1384,0,0,0,0,0,
    0,1528,1506,1546,195,0,0,0,0,0,0,0,0,0,0,0,
    1529,0,0,0,0,0,0,0,0,0,0,1133,0,180,1916,0,
    1250,0,0,0,1405,1616,0,0,0,0,0,0,0,0,0,2060,
    441,1538,471,0,908,0,0,0,0,0,0,0,0,0,0,0,
    0,0,327,0,0,0,0,0,227,0,646,0,0,0,0,0,
    0,0,986,1684,1686,0,0,0,0,987,0,0,1152,0,0,0,
    269,1151,0,0,0,0,0,0,284,793,1693,0,1419,319,0,2064,
    0,1952,0,0,0,0,0,0,0,0,1418,0,1687,0,0,0,
    0,0,235,0,0,0,0,0,293,0,0,0,1420,508,1981,1560,
    2065,458,0,0,0,0,0,0,0,0,0,1426,0,0,0,0,
    0,0,0,0,1979,0,0,364,959,960,1739,0,0,0,765,0,
    0,0,1688,0,0,0,0,0,0,0,0,0,0,1129,0,0,
    0,0,343,378,0,469,1543,1865,1957,1954,2113,0,0,0,0,0,
    26,0,0,1153,0,0,0,0,268,392,1432,1434,0,0,64,0,
    0,0,396,0,0,1867,0,0,0,0,0,0,0,885,1027,0,
    1737,0,0,0,620,0,0,0,0,0,1635,0,0,0,0,1839,
    0,997,1398,1882,0,0,0,937,1437,0,1417,0,0,0,0,0,
    0,0,0,420,647,0,0,0,181,0,1326,0,0,0,0,0,
    0,0,786,0,0,0,0,1440,0,0,1366,0,0,0,0,0,
    459,437,569,1689,0,90,1449,0,0,668,0,0,337,0,950,0,
    0,0,0,0,626,627,340,628,629,630,631,632,633,0,0,0,
    0,0,1515,0,571,0,693,0,0,0,0,0,0,0,0,0,
    0,0,0,0,1397,0,0,0,0,0,1958,0,0,0,0,0,
    0,0,422,0,0,0,2044,0,0,0,0,0,0,0,1747,0,
    0,1324,0,0,0,0,0,0,0,0,336,0,0,0,0,0,
    0,1673,0,1454,0,0,0,0,0,856,355,0,0,0,0,0,
    0,1808,0,0,0,0,1939,394,954,0,0,1236,1690,0,0,1873,
    1470,1136,1809,1254,0,0,0,991,0,0,0,1960,0,0,0,0,
    1256,0,302,388,0,0,0,698,0,277,0,0,0,0,0,0,
    1735,576,1457,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,1842,0,0,537,0,0,0,0,0,1409,0,0,0,0,
    1846,0,0,0,1335,0,179,116,0,207,0,0,0,0,1482,0,
    0,0,0,0,0,0,0,0,0,672,135,0,0,341,515,251,
    0,0,1343,0,0,429,0,1265,0,1566,0,0,995,841,1849,0,
    0,0,0,842,29,0,0,398,1266,100,708,1692,0,0,332,1031,
    0,890,0,0,0,0,1901,0,1172,0,165,0,68,0,0,0,
    0,0,0,2072,0,0,1517,0,0,0,0,523,930,1765,123,1766,
    2007,2017,0,0,0,0,92,0,77,1084,0,1891,963,0,0,0,
    0,282,161,417,1893,1894,1895,0,0,0,0,0,0,0,0,0,
    0,0,1000,0,0,0,0,1896,0,0,75,0,0,0,0,0,
    0,36,0,0,0,0,1149,1221,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,1899,0,1974,882,1872,0,0,0,497,
    0,525,0,1438,0,0,0,0,0,0,1720,76,0,0,0,0,
    0,0,0,0,1010,0,1011,1786,1536,0,0,0,0,0,0,0,
    322,0,0,0,0,0,0,0,680,0,0,0,539,0,0,0,
    78,1498,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,601,0,0,608,1902,0,1677,0,0,0,0,0,0,25,
    642,0,0,0,0,0,1197,1862,1008,0,0,0,0,0,0,0,
    134,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,342,0,0,0,395,970,0,0,0,2078,0,0,113,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,2037,0,0,0,0,0,0,0,0,0,0,0,0,1007,
    879,639,0,1561,0,0,0,1784,0,0,0,1176,0,0,0,0,
    0,0,0,0,1660,0,0,0,0,1056,0,0,0,1092,0,0,
    942,1381,945,661,0,0,0,949,0,0,0,809,0,0,0,1682,
    0,0,0,0,1838,96,0,0,0,0,0,0,0,0,120,1030,
    0,0,1009,0,0,0,0,1672,0,0,0,0,0,0,257,2117,
    0,0,0,0,849,0,0,0,0,0,0,0,0,0,1040,0,
    190,1053,0,0,614,1057,0,0,0,0,0,0,0,1074,880,0,
    0,1926,1235,0,0,1825,0,0,0,0,0,0,0,101,0,0,
    1105,0,0,0,1868,94,1696,0,0,304,0,0,0,0,0,17,
    0,0,0,0,0,0,0,0,0,0,1118,0,0,953,0,1143,
    1126,1558,0,0,0,1139,1544,0,0,87,0,220,1163,0,0,0,
    0,2053,0,0,0,0,0,0,0,0,0,0,285,0,0,0,
    0,0,0,0,0,69,0,1216,0,0,0,0,0,1217,2045,0,
    0,2083,912,0,0,0,0,0,1917,1189,0,0,0,0,0,0,
    0,0,0,0,0,0,0,1480,0,0,1395,2076,0,1346,1507,0,
    0,0,1986,0,0,0,0,0,0,121,1232,1044,1263,1520,1552,1145,
    1270,0,0,286,0,0,0,0,1321,0,0,0,0,0,0,0,
    2052,0,0,0,0,0,0,0,640,0,1615,0,1555,0,0,0,
    0,0,0,1368,1115,1578,0,0,376,1371,0,0,1579,0,0,0,
    0,0,0,0,1557,0,1140,1407,0,0,0,1431,0,156,1530,0,
    0,0,0,0,1539,0,0,1516,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,1246,0,0,289,421,0,697,0,0,0,
    0,0,862,1573,863,745,0,0,0,0,0,0,0,0,0,0,
    615,0,0,0,0,0,0,0,0,1609,0,0,1130,1475,1037,1625,
    0,0,1629,0,0,0,0,1594,0,119,0,0,0,0,0,0,
    0,0,484,0,0,0,0,0,0,538,0,0,152,236,0,0,
    0,0,0,0,0,383,0,0,0,0,0,0,0,0,0,0,
    785,410,0,972,0,0,0,1563,0,0,0,0,0,0,0,673,
    1754,0,0,1793,605,2093,649,1769,0,0,0,1828,1363,0,2003,988,
    1772,0,0,0,0,0,0,0,0,1448,0,860,1070,0,0,0,
    0,0,0,0,0,1268,0,0,0,0,0,1273,0,248,1364,1585,
    1757,1885,1161,0,226,0,0,0,0,0,0,1382,0,0,0,0,
    0,0,0,0,0,0,0,670,1348,0,0,0,0,0,0,692,
    0,485,0,0,0,0,240,308,0,0,0,0,0,0,0,0,
    0,0,1442,3,665,0,0,1800,0,1589,0,0,0,0,0,593,
    0,0,0,0,0,0,295,0,0,924,0,0,0,0,0,0,
    0,0,0,0,941,1385,2080,0,0,0,82,0,216,0,0,0,
    526,762,329,0,0,0,1035,0,0,2074,0,2075,124,0,0,0,
    0,1575,0,60,0,0,0,0,0,0,0,0,792,989,0,1980,
    0,2085,0,1583,0,0,1554,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,1581,0,0,0,0,0,1467,0,0,822,
    1071,0,0,0,0,0,0,0,0,0,0,0,0,1038,0,0,
    1840,0,0,28,0,826,1187,0,0,0,0,0,0,828,0,0,
    0,0,0,0,0,2055,0,0,291,1455,1356,0,0,1135,0,0,
    850,0,703,0,704,2082,1002,0,0,0,0,0,555,577,1041,0,
    0,0,0,1042,1307,1045,0,888,0,0,1177,0,0,889,0,817,
    0,0,829,0,0,0,0,0,0,0,0,0,0,427,1794,0,
    1802,1493,1869,1052,0,831,558,843,1453,0,0,125,901,872,0,0,
    0,0,705,0,0,0,0,1054,0,0,0,0,2109,0,700,0,
    0,0,873,0,0,869,1551,303,1237,0,0,32,0,157,977,0,
    0,1680,566,56,0,0,0,0,0,0,0,0,0,0,0,0,
    980,0,0,1541,0,0,0,0,0,0,0,0,0,994,0,0,
    0,0,0,600,844,971,1813,106,0,1640,0,0,335,0,1461,0,
    0,127,0,0,0,1815,1403,2043,247,1580,0,0,0,0,0,0,
    0,0,0,1458,1459,677,1460,0,1638,0,1801,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,787,1248,0,0,0,0,
    1058,0,1610,0,0,0,1127,0,0,85,0,1695,103,1768,0,0,
    0,0,1759,0,0,0,1218,0,0,0,0,0,1059,83,919,1753,
    929,854,237,551,0,1060,1421,1424,0,1549,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,1061,1239,
    1294,0,0,0,0,0,0,0,0,1587,353,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,2027,0,746,975,0,1064,0,
    0,0,0,1519,0,1905,474,0,928,0,0,0,0,0,0,0,
    1817,0,0,0,0,0,1731,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,183,1906,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,591,1257,0,0,0,0,0,
    0,1592,0,0,0,0,0,1430,0,0,0,0,0,0,1661,0,
    0,0,0,0,0,476,0,0,0,0,0,0,1492,0,0,1076,
    1925,0,0,0,0,776,1141,0,0,0,0,0,1591,0,1798,1818,
    0,0,0,0,0,0,0,347,5,0,0,0,1883,0,0,0,
    0,0,0,0,0,0,1598,0,943,0,0,0,1185,0,0,0,
    0,0,0,19,0,0,0,0,0,0,0,0,0,1623,0,63,
    505,0,0,0,0,958,0,0,0,0,0,0,0,0,0,0,
    1255,0,0,768,362,0,2020,0,0,0,0,0,0,0,0,122,
    1932,0,0,1494,0,0,0,2095,0,587,0,1214,0,0,0,0,
    41,0,413,1095,0,0,770,687,0,0,1968,0,1604,0,920,0,
    472,0,0,1471,298,921,0,0,635,0,0,0,0,0,0,0,
    0,1612,0,1584,702,0,0,0,1192,0,0,0,0,0,613,0,
    0,271,0,0,1956,0,0,0,2123,0,0,2102,0,0,0,0,
    0,1605,141,1465,0,966,1165,0,0,0,1970,0,0,1512,0,1350,
    0,0,1715,0,185,744,0,0,0,0,0,0,0,0,0,0,
    0,1922,0,0,0,0,0,0,0,0,306,0,249,1611,0,0,
    0,0,695,0,864,0,0,0,0,0,0,0,1978,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,784,0,0,318,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,984,0,0,0,0,
    0,0,0,1776,2088,0,24,111,0,0,0,0,0,0,1196,2016,
    0,0,0,360,0,0,0,1427,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,290,1142,0,1075,0,0,
    2021,650,0,0,0,0,0,0,0,1155,0,214,1771,0,0,0,
    688,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    535,0,0,0,0,0,0,0,0,0,0,0,0,1535,0,1733,
    0,0,895,0,0,0,0,0,0,0,0,851,0,0,0,0,
    0,1671,0,0,1614,0,0,0,0,1345,1183,1479,0,0,0,446,
    170,0,0,666,0,0,0,0,0,0,0,0,0,0,0,2058,
    0,0,0,0,1269,1201,0,0,0,0,0,0,0,815,0,1642,
    0,667,0,1630,0,0,58,0,0,0,0,0,0,1191,0,0,
    1067,0,0,218,982,0,0,0,0,0,0,520,0,0,0,0,
    0,0,0,1633,0,0,1212,0,0,0,49,0,922,1845,2014,2105,
    0,0,0,310,0,0,0,0,0,0,1486,0,0,0,0,0,
    0,1586,0,0,0,0,1656,0,0,0,0,0,0,0,914,1791,
    530,0,0,0,261,820,0,0,527,1451,0,0,0,0,0,0,
    0,0,2106,0,0,0,2029,0,0,1513,0,0,0,0,0,74,
    0,0,0,1602,0,0,0,0,595,0,0,857,299,1947,0,1694,
    0,283,0,0,73,2035,2107,859,1826,0,0,0,0,0,242,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,1301,0,
    0,0,0,0,0,0,0,0,0,0,0,0,1787,1450,0,1710,
    1788,328,0,0,1103,498,0,0,509,886,0,0,145,1738,0,0,
    0,0,0,0,0,0,0,0,202,0,0,0,0,0,0,0,
    0,0,0,0,1908,1072,1889,0,0,0,0,0,1073,0,2038,0,
    0,0,0,572,477,0,0,0,0,0,969,1912,0,0,0,0,
    0,1223,0,0,0,1472,0,0,0,0,0,102,0,0,1393,967,
    338,0,1742,0,0,0,580,0,0,507,0,0,534,0,0,0,
    0,0,146,0,339,0,0,0,91,0,1556,189,796,0,0,0,
    0,433,0,691,1297,0,0,1033,331,0,71,675,1996,0,0,0,
    0,0,1234,0,0,0,0,0,1676,0,0,0,0,0,0,0,
    144,774,1858,1436,0,0,0,1195,594,1913,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,1534,0,0,0,0,0,320,0,
    0,0,0,0,0,0,607,0,0,0,0,210,0,0,1835,1675,
    0,0,0,0,0,0,0,225,0,1764,0,0,0,554,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,568,0,0,0,
    0,0,0,0,0,0,0,823,0,234,1965,0,0,0,2100,0,
    0,651,0,0,0,0,0,0,0,699,0,0,0,0,0,0,
    542,0,0,166,321,766,1312,1588,0,0,1347,0,0,0,0,2023,
    0,0,0,0,0,0,0,0,900,0,0,2077,0,0,0,1824,
    0,0,1778,0,0,0,0,1329,0,0,0,0,0,0,0,0,
    192,2006,0,0,0,0,0,104,1277,0,0,0,855,2004,0,0,
    0,426,0,0,0,0,0,0,0,0,0,0,0,0,1707,1228,
    0,1167,31,1283,1833,0,0,0,2056,0,0,1756,0,0,37,1669,
    175,0,0,0,832,0,2057,0,0,0,0,0,0,348,0,0,
    0,865,0,0,0,0,0,0,0,0,562,0,0,0,489,0,
    0,0,0,0,0,0,0,1884,0,0,0,0,1499,0,0,0,
    804,1963,0,0,0,0,962,0,0,0,0,0,0,0,0,0,
    0,0,1832,0,0,0,20,0,0,0,0,812,0,0,0,0,
    0,0,0,0,0,1215,0,0,556,1907,1760,1314,1422,0,0,1249,
    0,0,1618,0,0,0,0,0,0,0,0,0,0,1658,164,0,
    1940,0,0,0,0,368,0,0,0,0,0,0,0,0,1319,1666,
    2104,0,0,449,0,325,0,0,0,0,0,0,0,112,0,0,
    0,2062,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,789,1914,0,0,0,0,0,0,0,0,1077,1110,806,807,
    1915,373,2063,2005,0,0,275,0,0,0,0,0,0,1194,0,0,
    0,0,1834,1841,0,0,0,1293,1750,0,0,370,0,0,0,177,
    0,369,564,344,1568,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,644,0,0,0,579,0,
    0,0,0,0,1357,0,0,0,0,0,0,456,0,0,2099,0,
    0,0,0,0,305,0,270,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,1055,0,0,0,0,0,0,0,0,0,0,0,1725,0,
    0,1600,0,0,0,0,0,1989,0,1131,0,0,0,0,0,358,
    771,0,2042,0,0,0,0,0,1317,0,444,0,0,0,1659,0,
    0,0,0,0,0,0,0,845,0,0,0,0,0,0,570,772,
    678,0,1564,0,0,0,0,679,0,0,0,0,0,1542,0,0,
    0,0,1204,0,0,0,0,0,1392,0,0,0,0,0,536,0,
    250,1709,1900,0,0,0,0,683,2098,0,0,0,0,0,0,0,
    457,0,1874,0,0,0,0,0,0,0,590,0,0,0,0,0,
    0,0,0,0,0,0,0,0,1205,0,0,528,0,1032,0,696,
    0,0,0,0,610,0,0,0,0,0,0,0,0,0,0,0,
    311,547,1931,1227,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    2115,0,1624,0,0,0,0,0,0,0,0,0,0,0,531,262,
    0,0,39,1805,2031,0,713,0,0,0,0,0,110,0,0,0,
    0,0,0,1181,0,0,0,1879,0,0,0,0,0,0,1933,1120,
    2089,174,0,0,933,333,1051,0,0,0,0,0,0,0,0,0,
    0,0,0,1005,1373,0,0,0,0,1206,0,0,0,0,0,0,
    168,778,0,0,0,0,2032,925,2119,0,0,0,0,0,0,1128,
    0,0,0,0,0,0,0,0,0,0,182,0,129,0,0,0,
    0,0,184,0,0,0,0,0,0,1123,0,1888,330,2087,0,480,
    0,0,334,0,1344,1124,0,0,0,0,0,0,0,160,0,0,
    0,0,0,0,0,0,875,0,0,274,0,0,1984,0,0,0,
    0,0,0,0,136,0,0,0,0,1156,0,1305,0,0,0,0,
    0,0,0,0,575,0,0,0,0,1751,0,0,0,0,1971,0,
    0,709,294,1207,2013,1972,0,0,840,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,488,0,0,0,0,0,0,1837,0,
    0,0,0,162,0,1822,0,0,0,432,0,0,0,868,0,0,
    0,0,0,0,0,0,0,0,0,1961,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,685,0,0,0,0,0,
    0,0,1039,0,0,0,2108,416,0,0,0,0,0,0,0,0,
    0,0,0,0,0,1653,0,316,655,948,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,1510,0,0,1209,0,1242,
    0,0,0,0,1998,0,0,0,0,0,0,0,0,0,0,0,
    0,0,1975,0,0,0,0,2121,0,0,0,0,0,0,0,1157,
    0,0,0,0,0,0,0,0,0,0,0,438,1489,0,0,0,
    0,86,0,0,0,0,1,233,916,1322,462,0,0,0,0,1144,
    0,0,0,0,0,956,375,0,0,516,658,0,0,0,2066,0,
    1880,0,0,0,1004,549,1370,1713,0,0,361,597,0,1456,1881,0,
    0,0,0,0,0,1079,0,0,0,0,1937,0,636,0,0,0,
    964,1775,0,0,0,0,0,0,0,1394,0,0,0,0,0,0,
    902,326,927,1260,0,1627,0,0,0,0,0,0,0,0,1085,0,
    834,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,1337,0,0,0,0,0,0,0,0,0,990,1723,0,1626,
    0,0,0,602,0,357,0,0,1708,0,0,0,0,0,1724,0,
    273,0,0,0,0,0,0,0,0,0,0,0,0,0,1904,0,
    0,0,603,0,0,0,0,0,0,0,0,0,0,0,0,1012,
    1013,1014,1015,1016,1719,1017,0,198,606,0,0,0,0,0,0,0,
    0,852,0,0,0,0,0,0,0,858,0,0,0,0,0,1018,
    0,1019,0,0,0,0,0,0,0,0,0,0,0,0,1722,0,
    946,0,0,0,0,0,389,0,0,0,0,0,196,1781,2124,1020,
    1021,0,1783,624,1022,1487,217,0,0,2059,0,0,0,0,0,0,
    0,0,1665,0,0,0,0,0,0,533,0,0,0,609,1099,1023,
    0,0,0,0,0,0,0,0,0,801,1726,0,0,0,158,0,
    0,132,1362,0,0,0,0,2094,0,0,0,0,0,0,0,1024,
    0,502,1025,0,386,1663,0,802,0,811,0,0,390,1851,1852,0,
    0,0,0,0,0,0,0,1924,2028,0,0,0,779,0,0,0,
    0,0,1116,0,84,0,1200,1401,1613,0,0,611,1678,1679,1729,0,
    0,0,0,0,496,0,0,0,0,0,0,0,1433,0,1796,1026,
    0,391,0,0,0,0,0,0,0,0,1523,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,1292,0,0,0,
    0,0,0,1741,0,0,0,1285,1180,0,0,0,0,0,2103,266,
    204,0,0,1372,1797,1843,0,0,0,0,0,1803,0,1334,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,634,0,1714,0,
    0,0,0,0,0,1577,1966,0,2097,0,1083,0,0,0,0,0,
    559,0,0,0,0,0,0,0,0,313,0,638,0,139,0,1330,
    0,0,1547,830,616,1903,0,0,0,187,0,0,200,0,0,0,
    0,0,405,0,1047,0,2051,617,0,0,622,588,1376,0,0,0,
    545,0,0,0,1718,0,367,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,643,1936,0,0,0,0,1029,0,1286,0,
    0,1358,0,0,0,1590,674,0,0,0,0,0,0,0,0,1533,
    0,1662,0,0,0,219,645,0,0,0,1203,0,965,0,0,0,
    0,0,0,0,0,1807,42,0,0,0,0,712,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,1208,0,1224,0,0,1758,0,0,0,0,0,1102,0,0,
    38,0,0,0,0,1186,0,0,0,0,0,529,0,0,0,0,
    1168,0,346,0,0,0,0,1429,0,0,0,0,0,0,0,0,
    0,287,140,481,0,1046,0,0,0,0,1548,176,0,0,0,2041,
    0,0,652,0,0,0,0,0,0,0,0,1955,0,0,380,584,
    663,1240,2116,0,0,1717,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,406,0,0,0,1898,1646,1387,0,0,1789,
    0,0,0,0,2069,0,1169,1938,0,0,1596,0,0,0,0,1995,
    0,0,387,1378,13,1532,1088,1444,130,1389,0,0,0,0,0,0,
    0,0,0,0,0,0,108,393,0,278,1721,0,0,0,0,0,
    0,781,0,21,657,585,0,1001,0,0,0,0,0,0,573,1650,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    1909,0,0,710,0,0,0,1447,0,79,407,0,0,0,0,517,
    0,0,0,0,178,0,371,0,1367,0,0,0,1081,0,0,0,
    0,1743,0,486,0,0,0,492,0,0,0,0,0,2091,0,0,
    1861,0,1435,0,0,1540,979,1847,0,0,0,0,1125,0,1134,2081,
    0,0,0,0,0,0,0,254,0,0,0,0,996,57,0,0,
    0,0,0,0,0,0,1062,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,1934,0,0,0,1732,0,0,
    0,1308,0,0,0,0,0,0,0,1567,221,0,133,0,1043,0,
    0,0,0,0,759,0,0,0,1829,0,0,89,0,0,1473,0,
    0,0,0,0,1377,0,0,1953,0,0,0,0,0,0,0,0,
    0,0,1854,676,0,1619,0,0,0,0,0,1620,0,0,0,0,
    917,0,867,1705,1441,0,0,1050,884,0,0,0,0,1730,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,1065,0,0,231,1226,1870,0,0,0,0,718,0,0,
    1537,0,107,4,0,0,0,1198,0,0,0,514,727,0,0,0,
    0,0,0,0,0,1773,0,1871,1941,0,1106,0,0,739,1327,0,
    0,264,0,803,0,0,0,0,0,0,0,751,243,323,0,0,
    0,0,0,0,0,1777,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,2071,1241,1785,0,0,0,0,1983,
    0,0,0,0,0,0,0,780,1639,0,0,1897,0,2070,0,0,
    0,315,968,0,0,1122,0,0,0,0,932,0,544,493,0,0,
    876,0,0,0,0,0,0,0,671,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,244,0,381,0,0,1762,0,0,0,
    1469,0,0,0,412,0,0,0,0,898,0,0,0,0,0,1799,
    0,0,0,0,0,0,0,0,1413,0,0,0,0,1202,0,1164,
    0,0,0,169,0,0,654,1595,0,0,0,0,0,0,0,0,
    30,618,0,0,0,0,0,0,0,0,0,0,0,0,681,1229,
    0,0,0,0,0,292,0,0,0,0,1474,1622,0,0,0,0,
    0,0,0,0,10,1806,0,0,0,0,578,0,0,0,0,0,
    0,0,0,656,794,0,0,1810,788,0,0,0,0,408,0,501,
    835,1271,0,0,0,0,818,1484,0,0,0,0,1258,0,0,0,
    0,1632,2039,0,1485,1550,0,0,0,0,0,1987,0,1304,0,0,
    1119,0,0,0,0,256,1400,0,0,2110,0,0,0,0,0,239,
    0,0,0,0,1962,0,0,0,0,0,0,0,1701,0,0,0,
    0,0,0,0,0,1606,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,1748,0,14,0,0,0,1410,1175,0,0,0,440,
    0,0,0,0,0,0,0,0,0,0,1383,1827,0,0,0,0,
    0,1468,0,0,0,0,0,0,0,0,0,0,0,0,1608,546,
    1853,0,1147,0,0,0,0,0,12,228,0,0,0,0,0,350,
    0,0,0,0,0,0,1886,0,0,0,0,582,0,0,0,2079,
    1831,637,1086,0,0,0,0,131,1935,707,0,0,0,0,300,1574,
    1685,0,0,0,2,0,0,0,1582,1488,0,0,0,0,0,0,
    0,1770,0,0,694,0,0,0,1287,0,0,0,205,0,0,1090,
    0,0,0,0,0,0,0,711,1691,0,998,0,0,1231,1351,0,
    764,513,0,0,1643,0,0,1850,0,0,0,1341,0,0,159,0,
    0,881,0,0,0,0,1477,0,0,519,0,0,518,0,0,0,
    0,0,1668,0,0,0,0,0,0,0,1478,1171,0,0,0,0,
    0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    2002,0,0,0,1763,1182,0,0,0,0,0,0,0,0,99,0,
    1830,1178,0,0,0,0,0,0,0,0,0,2036,0,0,1190,0,
    0,1697,0,206,0,0,0,0,0,47,0,0,992,0,0,0,
    1864,0,0,0,351,0,0,0,0,0,2018,1890,0,0,1892,0,
    592,0,0,0,0,0,0,1531,0,0,0,0,0,0,0,0,
    0,0,0,0,0,1310,0,0,0,0,0,0,0,0,1812,0,
    1814,0,0,0,0,1816,114,1179,0,0,1107,0,0,0,0,191,
    384,443,0,22,0,0,1331,1332,0,1572,0,1603,1744,0,0,0,
    0,1716,186,399,0,1929,0,0,0,0,0,0,0,0,1096,0,
    0,1093,0,0,0,0,596,0,0,201,0,0,0,0,0,0,
    241,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
    0,0,0,0,1354,0,0,0,0,0,0,0,0,1649,2086,0,
    0,0,0,0,246,193,0,0,2118,0,0,0,0,0,0,0,
    0,1521,0,931,0,0,0,0,1992,1291,0,0,0,0,1993,0,
    0,0,2090,0,0,0,0,0,0,0,0,1253,938,836,1066,0,
    359,0,1078,0,0,0,0,0,0,1866,1734,838,0,0,0,0,
    0,659,1396,1495,0,0,0,0,0,0,0,0,0,0,0,0,
    669,1503,0,0,0,0,0,0,0,0,0,0,1599,0,0,0,
    0,0,0,0,0,0,0,0,0,1878,1028,0,0,0,0,54,
    0,0,0,0,0,1211,0,0,0,1416,0,0,0,0,80,0,
    0,0,0,0,0,0,0,0,0,541,548,0,0,758,0,0,
    0,0,0,0,0,0,1514,0,0,259,450,0,0,0,936,0,
    435,2024,0,0,354,494,0,0,0,1003,0,0,0,0,0,0,
    2011,1704,0,0,0,0,0,0,0,0,0,0,0,448,0,0,
    0,0,479,714,0,0,0,0,215,715,0,0,0,0,0,0,
    0,0,0,0,0,0,0,0,1923,0,0,0,0,550,0,0,
    0,0,0,716,0,0,0,0,0,717,0,0,0,0,1964,976,
    993,1415,0,0,0,0,0,0,1276,0,0,1166,0,0,0,199,
    0,0,775,0,0,1272,0,1184,0,0,40,0,0,0,1481,0,
    0,34,0,0,0,0,0,229,1111,1423,1927,0,2061,0,0,563,
    0,0,115,0,0,0,0,0,0,0,0,0,0,0,1526,1973,
}};
// clang-format on

}  // namespace heddle::html::parser
