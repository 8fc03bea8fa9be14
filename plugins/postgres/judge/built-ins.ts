/**
 * Functions of PostgreSQL 13 to 18 that are not volatile and act on nothing: one name a line, and its arguments, separated by
 * `;`. Left out are those that run a text or a type's checks, and those that no statement can call. A test compares the list
 * with each server.
 */
export const builtIns = `
abbrev cidr;inet
abs bigint;double precision;integer;numeric;real;smallint
aclcontains aclitem[], aclitem
acldefault "char", oid
aclexplode aclitem[]
aclinsert aclitem[], aclitem
aclitemeq aclitem, aclitem
aclremove aclitem[], aclitem
acos double precision
acosd double precision
acosh double precision
age timestamp with time zone;timestamp with time zone, timestamp with time zone;timestamp without time zone;timestamp without time zone, timestamp without time zone;xid
any_value anyelement
any_value_transfn anyelement, anyelement
anyarray_send anyarray
anycompatiblearray_send anycompatiblearray
anytextcat anynonarray, text
area box;circle;path
array_agg anyarray;anynonarray
array_append anyarray, anyelement;anycompatiblearray, anycompatible
array_cat anyarray, anyarray;anycompatiblearray, anycompatiblearray
array_dims anyarray
array_eq anyarray, anyarray
array_fill anyelement, integer[];anyelement, integer[], integer[]
array_ge anyarray, anyarray
array_gt anyarray, anyarray
array_larger anyarray, anyarray
array_le anyarray, anyarray
array_length anyarray, integer
array_lower anyarray, integer
array_lt anyarray, anyarray
array_ndims anyarray
array_ne anyarray, anyarray
array_position anyarray, anyelement;anyarray, anyelement, integer;anycompatiblearray, anycompatible;anycompatiblearray, anycompatible, integer
array_positions anyarray, anyelement;anycompatiblearray, anycompatible
array_prepend anycompatible, anycompatiblearray;anyelement, anyarray
array_remove anyarray, anyelement;anycompatiblearray, anycompatible
array_replace anyarray, anyelement, anyelement;anycompatiblearray, anycompatible, anycompatible
array_reverse anyarray
array_send anyarray
array_smaller anyarray, anyarray
array_sort anyarray;anyarray, boolean;anyarray, boolean, boolean
array_to_json anyarray;anyarray, boolean
array_to_string anyarray, text;anyarray, text, text
array_to_tsvector text[]
array_upper anyarray, integer
arraycontained anyarray, anyarray
arraycontains anyarray, anyarray
arrayoverlap anyarray, anyarray
ascii text
asin double precision
asind double precision
asinh double precision
atan double precision
atan2 double precision, double precision
atan2d double precision, double precision
atand double precision
atanh double precision
avg bigint;double precision;integer;interval;numeric;real;smallint
bit bigint, integer;bit, integer, boolean;integer, integer
bit_and bigint;bit;integer;smallint
bit_count bit;bytea
bit_length bit;bytea;text
bit_or bigint;bit;integer;smallint
bit_send bit
bit_xor bigint;bit;integer;smallint
bitand bit, bit
bitcat bit varying, bit varying
bitcmp bit, bit
biteq bit, bit
bitge bit, bit
bitgt bit, bit
bitle bit, bit
bitlt bit, bit
bitne bit, bit
bitnot bit
bitor bit, bit
bitshiftleft bit, integer
bitshiftright bit, integer
bittypmodin cstring[]
bitxor bit, bit
bool integer;jsonb
bool_and boolean
bool_or boolean
booland_statefunc boolean, boolean
booleq boolean, boolean
boolge boolean, boolean
boolgt boolean, boolean
boolle boolean, boolean
boollt boolean, boolean
boolne boolean, boolean
boolor_statefunc boolean, boolean
boolsend boolean
bound_box box, box
box circle;point;point, point;polygon
box_above box, box
box_above_eq box, box
box_add box, point
box_below box, box
box_below_eq box, box
box_center box
box_contain box, box
box_contain_pt box, point
box_contained box, box
box_distance box, box
box_div box, point
box_eq box, box
box_ge box, box
box_gt box, box
box_intersect box, box
box_le box, box
box_left box, box
box_lt box, box
box_mul box, point
box_overabove box, box
box_overbelow box, box
box_overlap box, box
box_overleft box, box
box_overright box, box
box_right box, box
box_same box, box
box_send box
box_sub box, point
bpchar "char";character, integer, boolean;name
bpchar_larger character, character
bpchar_pattern_ge character, character
bpchar_pattern_gt character, character
bpchar_pattern_le character, character
bpchar_pattern_lt character, character
bpchar_smaller character, character
bpcharcmp character, character
bpchareq character, character
bpcharge character, character
bpchargt character, character
bpchariclike character, text
bpcharicnlike character, text
bpcharicregexeq character, text
bpcharicregexne character, text
bpcharle character, character
bpcharlike character, text
bpcharlt character, character
bpcharne character, character
bpcharnlike character, text
bpcharregexeq character, text
bpcharregexne character, text
bpcharsend character
bpchartypmodin cstring[]
brin_bloom_summary_send pg_brin_bloom_summary
brin_minmax_multi_summary_send pg_brin_minmax_multi_summary
broadcast inet
btarraycmp anyarray, anyarray
btboolcmp boolean, boolean
btbpchar_pattern_cmp character, character
btcharcmp "char", "char"
btequalimage oid
btfloat48cmp real, double precision
btfloat4cmp real, real
btfloat84cmp double precision, real
btfloat8cmp double precision, double precision
btint24cmp smallint, integer
btint28cmp smallint, bigint
btint2cmp smallint, smallint
btint42cmp integer, smallint
btint48cmp integer, bigint
btint4cmp integer, integer
btint82cmp bigint, smallint
btint84cmp bigint, integer
btint8cmp bigint, bigint
btnamecmp name, name
btnametextcmp name, text
btoidcmp oid, oid
btoidvectorcmp oidvector, oidvector
btrecordcmp record, record
btrecordimagecmp record, record
btrim bytea, bytea;text;text, text
bttext_pattern_cmp text, text
bttextcmp text, text
bttextnamecmp text, name
bttidcmp tid, tid
btvarstrequalimage oid
bytea bigint;integer;smallint
bytea_larger bytea, bytea
bytea_smaller bytea, bytea
byteacat bytea, bytea
byteacmp bytea, bytea
byteaeq bytea, bytea
byteage bytea, bytea
byteagt bytea, bytea
byteale bytea, bytea
bytealike bytea, bytea
bytealt bytea, bytea
byteane bytea, bytea
byteanlike bytea, bytea
byteasend bytea
cardinality anyarray
casefold text
cash_cmp money, money
cash_div_cash money, money
cash_div_flt4 money, real
cash_div_flt8 money, double precision
cash_div_int2 money, smallint
cash_div_int4 money, integer
cash_div_int8 money, bigint
cash_eq money, money
cash_ge money, money
cash_gt money, money
cash_le money, money
cash_lt money, money
cash_mi money, money
cash_mul_flt4 money, real
cash_mul_flt8 money, double precision
cash_mul_int2 money, smallint
cash_mul_int4 money, integer
cash_mul_int8 money, bigint
cash_ne money, money
cash_pl money, money
cash_send money
cash_words money
cashlarger money, money
cashsmaller money, money
cbrt double precision
ceil double precision;numeric
ceiling double precision;numeric
center box;circle
char integer;text
char_length character;text
character_length character;text
chareq "char", "char"
charge "char", "char"
chargt "char", "char"
charle "char", "char"
charlt "char", "char"
charne "char", "char"
charsend "char"
chr integer
cideq cid, cid
cidr inet
cidr_send cidr
cidsend cid
circle box;point, double precision;polygon
circle_above circle, circle
circle_add_pt circle, point
circle_below circle, circle
circle_center circle
circle_contain circle, circle
circle_contain_pt circle, point
circle_contained circle, circle
circle_distance circle, circle
circle_div_pt circle, point
circle_eq circle, circle
circle_ge circle, circle
circle_gt circle, circle
circle_le circle, circle
circle_left circle, circle
circle_lt circle, circle
circle_mul_pt circle, point
circle_ne circle, circle
circle_overabove circle, circle
circle_overbelow circle, circle
circle_overlap circle, circle
circle_overleft circle, circle
circle_overright circle, circle
circle_right circle, circle
circle_same circle, circle
circle_send circle
circle_sub_pt circle, point
close_lb line, box
close_ls line, lseg
close_lseg lseg, lseg
close_pb point, box
close_pl point, line
close_ps point, lseg
close_sb lseg, box
close_sl lseg, line
col_description oid, integer
concat "any"
concat_ws text, "any"
convert bytea, name, name
convert_from bytea, name
convert_to text, name
corr double precision, double precision
cos double precision
cosd double precision
cosh double precision
cot double precision
cotd double precision
count ;"any"
covar_pop double precision, double precision
covar_samp double precision, double precision
crc32 bytea
crc32c bytea
cume_dist ;"any"
current_database
current_schema
current_schemas boolean
current_setting text;text, boolean
current_user
date timestamp with time zone;timestamp without time zone
date_add timestamp with time zone, interval;timestamp with time zone, interval, text
date_bin interval, timestamp with time zone, timestamp with time zone;interval, timestamp without time zone, timestamp without time zone
date_cmp date, date
date_cmp_timestamp date, timestamp without time zone
date_cmp_timestamptz date, timestamp with time zone
date_eq date, date
date_eq_timestamp date, timestamp without time zone
date_eq_timestamptz date, timestamp with time zone
date_ge date, date
date_ge_timestamp date, timestamp without time zone
date_ge_timestamptz date, timestamp with time zone
date_gt date, date
date_gt_timestamp date, timestamp without time zone
date_gt_timestamptz date, timestamp with time zone
date_larger date, date
date_le date, date
date_le_timestamp date, timestamp without time zone
date_le_timestamptz date, timestamp with time zone
date_lt date, date
date_lt_timestamp date, timestamp without time zone
date_lt_timestamptz date, timestamp with time zone
date_mi date, date
date_mi_interval date, interval
date_mii date, integer
date_ne date, date
date_ne_timestamp date, timestamp without time zone
date_ne_timestamptz date, timestamp with time zone
date_part text, date;text, interval;text, time with time zone;text, time without time zone;text, timestamp with time zone;text, timestamp without time zone
date_pl_interval date, interval
date_pli date, integer
date_send date
date_smaller date, date
date_subtract timestamp with time zone, interval;timestamp with time zone, interval, text
date_trunc text, interval;text, timestamp with time zone;text, timestamp with time zone, text;text, timestamp without time zone
datemultirange ;daterange;daterange[]
daterange date, date;date, date, text
daterange_canonical daterange
daterange_subdiff date, date
datetime_pl date, time without time zone
datetimetz_pl date, time with time zone
dcbrt double precision
decode text, text
degrees double precision
dense_rank ;"any"
dexp double precision
diagonal box
diameter circle
dist_bl box, line
dist_bp box, point
dist_bs box, lseg
dist_cpoint circle, point
dist_cpoly circle, polygon
dist_lb line, box
dist_lp line, point
dist_ls line, lseg
dist_pathp path, point
dist_pb point, box
dist_pc point, circle
dist_pl point, line
dist_polyc polygon, circle
dist_polyp polygon, point
dist_ppath point, path
dist_ppoly point, polygon
dist_ps point, lseg
dist_sb lseg, box
dist_sl lseg, line
dist_sp lseg, point
div numeric, numeric
dlog1 double precision
dlog10 double precision
dpow double precision, double precision
dround double precision
dsqrt double precision
dtrunc double precision
elem_contained_by_multirange anyelement, anymultirange
elem_contained_by_range anyelement, anyrange
encode bytea, text
enum_cmp anyenum, anyenum
enum_eq anyenum, anyenum
enum_first anyenum
enum_ge anyenum, anyenum
enum_gt anyenum, anyenum
enum_larger anyenum, anyenum
enum_last anyenum
enum_le anyenum, anyenum
enum_lt anyenum, anyenum
enum_ne anyenum, anyenum
enum_range anyenum;anyenum, anyenum
enum_send anyenum
enum_smaller anyenum, anyenum
erf double precision
erfc double precision
every boolean
exp double precision;numeric
extract text, date;text, interval;text, time with time zone;text, time without time zone;text, timestamp with time zone;text, timestamp without time zone
factorial bigint
family inet
first_value anyelement
float4 bigint;double precision;integer;jsonb;numeric;smallint
float48div real, double precision
float48eq real, double precision
float48ge real, double precision
float48gt real, double precision
float48le real, double precision
float48lt real, double precision
float48mi real, double precision
float48mul real, double precision
float48ne real, double precision
float48pl real, double precision
float4_accum double precision[], real
float4abs real
float4div real, real
float4eq real, real
float4ge real, real
float4gt real, real
float4larger real, real
float4le real, real
float4lt real, real
float4mi real, real
float4mul real, real
float4ne real, real
float4pl real, real
float4send real
float4smaller real, real
float4um real
float4up real
float8 bigint;integer;jsonb;numeric;real;smallint
float84div double precision, real
float84eq double precision, real
float84ge double precision, real
float84gt double precision, real
float84le double precision, real
float84lt double precision, real
float84mi double precision, real
float84mul double precision, real
float84ne double precision, real
float84pl double precision, real
float8_accum double precision[], double precision
float8_avg double precision[]
float8_combine double precision[], double precision[]
float8_corr double precision[]
float8_covar_pop double precision[]
float8_covar_samp double precision[]
float8_regr_accum double precision[], double precision, double precision
float8_regr_avgx double precision[]
float8_regr_avgy double precision[]
float8_regr_combine double precision[], double precision[]
float8_regr_intercept double precision[]
float8_regr_r2 double precision[]
float8_regr_slope double precision[]
float8_regr_sxx double precision[]
float8_regr_sxy double precision[]
float8_regr_syy double precision[]
float8_stddev_pop double precision[]
float8_stddev_samp double precision[]
float8_var_pop double precision[]
float8_var_samp double precision[]
float8abs double precision
float8div double precision, double precision
float8eq double precision, double precision
float8ge double precision, double precision
float8gt double precision, double precision
float8larger double precision, double precision
float8le double precision, double precision
float8lt double precision, double precision
float8mi double precision, double precision
float8mul double precision, double precision
float8ne double precision, double precision
float8pl double precision, double precision
float8send double precision
float8smaller double precision, double precision
float8um double precision
float8up double precision
floor double precision;numeric
flt4_mul_cash real, money
flt8_mul_cash double precision, money
format text;text, "any"
format_type oid, integer
gamma double precision
gcd bigint, bigint;integer, integer;numeric, numeric
generate_series bigint, bigint;bigint, bigint, bigint;integer, integer;integer, integer, integer;numeric, numeric;numeric, numeric, numeric;timestamp with time zone, timestamp with time zone, interval;timestamp with time zone, timestamp with time zone, interval, text;timestamp without time zone, timestamp without time zone, interval
generate_subscripts anyarray, integer;anyarray, integer, boolean
get_bit bit, integer;bytea, bigint
get_byte bytea, integer
get_current_ts_config
getdatabaseencoding
getpgusername
gin_cmp_tslexeme text, text
gin_compare_jsonb text, text
gist_translate_cmptype_common integer
has_any_column_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
has_column_privilege name, oid, smallint, text;name, oid, text, text;name, text, smallint, text;name, text, text, text;oid, oid, smallint, text;oid, oid, text, text;oid, smallint, text;oid, text, smallint, text;oid, text, text;oid, text, text, text;text, smallint, text;text, text, text
has_database_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
has_foreign_data_wrapper_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
has_function_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
has_language_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
has_largeobject_privilege name, oid, text;oid, oid, text;oid, text
has_parameter_privilege name, text, text;oid, text, text;text, text
has_schema_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
has_sequence_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
has_server_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
has_table_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
has_tablespace_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
has_type_privilege name, oid, text;name, text, text;oid, oid, text;oid, text;oid, text, text;text, text
hash_aclitem aclitem
hash_aclitem_extended aclitem, bigint
hash_array anyarray
hash_array_extended anyarray, bigint
hash_multirange anymultirange
hash_multirange_extended anymultirange, bigint
hash_numeric numeric
hash_numeric_extended numeric, bigint
hash_range anyrange
hash_range_extended anyrange, bigint
hash_record record
hash_record_extended record, bigint
hashbool boolean
hashboolextended boolean, bigint
hashbpchar character
hashbpcharextended character, bigint
hashbytea bytea
hashbyteaextended bytea, bigint
hashchar "char"
hashcharextended "char", bigint
hashcid cid
hashcidextended cid, bigint
hashdate date
hashdateextended date, bigint
hashenum anyenum
hashenumextended anyenum, bigint
hashfloat4 real
hashfloat4extended real, bigint
hashfloat8 double precision
hashfloat8extended double precision, bigint
hashinet inet
hashinetextended inet, bigint
hashint2 smallint
hashint2extended smallint, bigint
hashint4 integer
hashint4extended integer, bigint
hashint8 bigint
hashint8extended bigint, bigint
hashmacaddr macaddr
hashmacaddr8 macaddr8
hashmacaddr8extended macaddr8, bigint
hashmacaddrextended macaddr, bigint
hashname name
hashnameextended name, bigint
hashoid oid
hashoidextended oid, bigint
hashoidvector oidvector
hashoidvectorextended oidvector, bigint
hashtext text
hashtextextended text, bigint
hashtid tid
hashtidextended tid, bigint
hashxid xid
hashxid8 xid8
hashxid8extended xid8, bigint
hashxidextended xid, bigint
height box
host inet
hostmask inet
icu_unicode_version
in_range bigint, bigint, bigint, boolean, boolean;date, date, interval, boolean, boolean;double precision, double precision, double precision, boolean, boolean;integer, integer, bigint, boolean, boolean;integer, integer, integer, boolean, boolean;integer, integer, smallint, boolean, boolean;interval, interval, interval, boolean, boolean;numeric, numeric, numeric, boolean, boolean;real, real, double precision, boolean, boolean;smallint, smallint, bigint, boolean, boolean;smallint, smallint, integer, boolean, boolean;smallint, smallint, smallint, boolean, boolean;time with time zone, time with time zone, interval, boolean, boolean;time without time zone, time without time zone, interval, boolean, boolean;timestamp with time zone, timestamp with time zone, interval, boolean, boolean;timestamp without time zone, timestamp without time zone, interval, boolean, boolean
inet_client_addr
inet_client_port
inet_merge inet, inet
inet_same_family inet, inet
inet_send inet
inet_server_addr
inet_server_port
inetand inet, inet
inetmi inet, inet
inetmi_int8 inet, bigint
inetnot inet
inetor inet, inet
inetpl inet, bigint
initcap text
int2 bigint;bytea;double precision;integer;jsonb;numeric;real
int24div smallint, integer
int24eq smallint, integer
int24ge smallint, integer
int24gt smallint, integer
int24le smallint, integer
int24lt smallint, integer
int24mi smallint, integer
int24mul smallint, integer
int24ne smallint, integer
int24pl smallint, integer
int28div smallint, bigint
int28eq smallint, bigint
int28ge smallint, bigint
int28gt smallint, bigint
int28le smallint, bigint
int28lt smallint, bigint
int28mi smallint, bigint
int28mul smallint, bigint
int28ne smallint, bigint
int28pl smallint, bigint
int2_avg_accum bigint[], smallint
int2_avg_accum_inv bigint[], smallint
int2_mul_cash smallint, money
int2_sum bigint, smallint
int2abs smallint
int2and smallint, smallint
int2div smallint, smallint
int2eq smallint, smallint
int2ge smallint, smallint
int2gt smallint, smallint
int2int4_sum bigint[]
int2larger smallint, smallint
int2le smallint, smallint
int2lt smallint, smallint
int2mi smallint, smallint
int2mod smallint, smallint
int2mul smallint, smallint
int2ne smallint, smallint
int2not smallint
int2or smallint, smallint
int2pl smallint, smallint
int2send smallint
int2shl smallint, integer
int2shr smallint, integer
int2smaller smallint, smallint
int2um smallint
int2up smallint
int2vectorsend int2vector
int2xor smallint, smallint
int4 "char";bigint;bit;boolean;bytea;double precision;jsonb;numeric;real;smallint
int42div integer, smallint
int42eq integer, smallint
int42ge integer, smallint
int42gt integer, smallint
int42le integer, smallint
int42lt integer, smallint
int42mi integer, smallint
int42mul integer, smallint
int42ne integer, smallint
int42pl integer, smallint
int48div integer, bigint
int48eq integer, bigint
int48ge integer, bigint
int48gt integer, bigint
int48le integer, bigint
int48lt integer, bigint
int48mi integer, bigint
int48mul integer, bigint
int48ne integer, bigint
int48pl integer, bigint
int4_avg_accum bigint[], integer
int4_avg_accum_inv bigint[], integer
int4_avg_combine bigint[], bigint[]
int4_mul_cash integer, money
int4_sum bigint, integer
int4abs integer
int4and integer, integer
int4div integer, integer
int4eq integer, integer
int4ge integer, integer
int4gt integer, integer
int4inc integer
int4larger integer, integer
int4le integer, integer
int4lt integer, integer
int4mi integer, integer
int4mod integer, integer
int4mul integer, integer
int4multirange ;int4range;int4range[]
int4ne integer, integer
int4not integer
int4or integer, integer
int4pl integer, integer
int4range integer, integer;integer, integer, text
int4range_canonical int4range
int4range_subdiff integer, integer
int4send integer
int4shl integer, integer
int4shr integer, integer
int4smaller integer, integer
int4um integer
int4up integer
int4xor integer, integer
int8 bit;bytea;double precision;integer;jsonb;numeric;oid;real;smallint
int82div bigint, smallint
int82eq bigint, smallint
int82ge bigint, smallint
int82gt bigint, smallint
int82le bigint, smallint
int82lt bigint, smallint
int82mi bigint, smallint
int82mul bigint, smallint
int82ne bigint, smallint
int82pl bigint, smallint
int84div bigint, integer
int84eq bigint, integer
int84ge bigint, integer
int84gt bigint, integer
int84le bigint, integer
int84lt bigint, integer
int84mi bigint, integer
int84mul bigint, integer
int84ne bigint, integer
int84pl bigint, integer
int8_avg bigint[]
int8_mul_cash bigint, money
int8_sum numeric, bigint
int8abs bigint
int8and bigint, bigint
int8dec bigint
int8dec_any bigint, "any"
int8div bigint, bigint
int8eq bigint, bigint
int8ge bigint, bigint
int8gt bigint, bigint
int8inc bigint
int8inc_any bigint, "any"
int8inc_float8_float8 bigint, double precision, double precision
int8larger bigint, bigint
int8le bigint, bigint
int8lt bigint, bigint
int8mi bigint, bigint
int8mod bigint, bigint
int8mul bigint, bigint
int8multirange ;int8range;int8range[]
int8ne bigint, bigint
int8not bigint
int8or bigint, bigint
int8pl bigint, bigint
int8pl_inet bigint, inet
int8range bigint, bigint;bigint, bigint, text
int8range_canonical int8range
int8range_subdiff bigint, bigint
int8send bigint
int8shl bigint, integer
int8shr bigint, integer
int8smaller bigint, bigint
int8um bigint
int8up bigint
int8xor bigint, bigint
integer_pl_date integer, date
inter_lb line, box
inter_sb lseg, box
inter_sl lseg, line
interval interval, integer;time without time zone
interval_accum interval[], interval
interval_accum_inv interval[], interval
interval_avg interval[]
interval_cmp interval, interval
interval_combine interval[], interval[]
interval_div interval, double precision
interval_eq interval, interval
interval_ge interval, interval
interval_gt interval, interval
interval_hash interval
interval_hash_extended interval, bigint
interval_larger interval, interval
interval_le interval, interval
interval_lt interval, interval
interval_mi interval, interval
interval_mul interval, double precision
interval_ne interval, interval
interval_pl interval, interval
interval_pl_date interval, date
interval_pl_time interval, time without time zone
interval_pl_timestamp interval, timestamp without time zone
interval_pl_timestamptz interval, timestamp with time zone
interval_pl_timetz interval, time with time zone
interval_send interval
interval_smaller interval, interval
interval_um interval
intervaltypmodin cstring[]
is_normalized text, text
isclosed path
isempty anymultirange;anyrange
isfinite date;interval;timestamp with time zone;timestamp without time zone
ishorizontal line;lseg;point, point
isopen path
isparallel line, line;lseg, lseg
isperp line, line;lseg, lseg
isvertical line;lseg;point, point
json_agg anyelement
json_agg_strict anyelement
json_array_element json, integer
json_array_element_text json, integer
json_array_elements json
json_array_elements_text json
json_array_length json
json_build_array ;"any"
json_build_object ;"any"
json_each json
json_each_text json
json_extract_path json, text[]
json_extract_path_text json, text[]
json_object text[];text[], text[]
json_object_agg "any", "any"
json_object_agg_strict "any", "any"
json_object_agg_unique "any", "any"
json_object_agg_unique_strict "any", "any"
json_object_field json, text
json_object_field_text json, text
json_object_keys json
json_populate_record anyelement, json, boolean
json_populate_recordset anyelement, json, boolean
json_send json
json_strip_nulls json;json, boolean
json_to_record json
json_to_recordset json
json_to_tsvector json, jsonb;regconfig, json, jsonb
json_typeof json
jsonb_agg anyelement
jsonb_agg_strict anyelement
jsonb_array_element jsonb, integer
jsonb_array_element_text jsonb, integer
jsonb_array_elements jsonb
jsonb_array_elements_text jsonb
jsonb_array_length jsonb
jsonb_build_array ;"any"
jsonb_build_object ;"any"
jsonb_cmp jsonb, jsonb
jsonb_concat jsonb, jsonb
jsonb_contained jsonb, jsonb
jsonb_contains jsonb, jsonb
jsonb_delete jsonb, integer;jsonb, text;jsonb, text[]
jsonb_delete_path jsonb, text[]
jsonb_each jsonb
jsonb_each_text jsonb
jsonb_eq jsonb, jsonb
jsonb_exists jsonb, text
jsonb_exists_all jsonb, text[]
jsonb_exists_any jsonb, text[]
jsonb_extract_path jsonb, text[]
jsonb_extract_path_text jsonb, text[]
jsonb_ge jsonb, jsonb
jsonb_gt jsonb, jsonb
jsonb_hash jsonb
jsonb_hash_extended jsonb, bigint
jsonb_insert jsonb, text[], jsonb, boolean
jsonb_le jsonb, jsonb
jsonb_lt jsonb, jsonb
jsonb_ne jsonb, jsonb
jsonb_object text[];text[], text[]
jsonb_object_agg "any", "any"
jsonb_object_agg_strict "any", "any"
jsonb_object_agg_unique "any", "any"
jsonb_object_agg_unique_strict "any", "any"
jsonb_object_field jsonb, text
jsonb_object_field_text jsonb, text
jsonb_object_keys jsonb
jsonb_path_exists jsonb, jsonpath, jsonb, boolean
jsonb_path_exists_opr jsonb, jsonpath
jsonb_path_exists_tz jsonb, jsonpath, jsonb, boolean
jsonb_path_match jsonb, jsonpath, jsonb, boolean
jsonb_path_match_opr jsonb, jsonpath
jsonb_path_match_tz jsonb, jsonpath, jsonb, boolean
jsonb_path_query jsonb, jsonpath, jsonb, boolean
jsonb_path_query_array jsonb, jsonpath, jsonb, boolean
jsonb_path_query_array_tz jsonb, jsonpath, jsonb, boolean
jsonb_path_query_first jsonb, jsonpath, jsonb, boolean
jsonb_path_query_first_tz jsonb, jsonpath, jsonb, boolean
jsonb_path_query_tz jsonb, jsonpath, jsonb, boolean
jsonb_populate_record anyelement, jsonb
jsonb_populate_record_valid anyelement, jsonb
jsonb_populate_recordset anyelement, jsonb
jsonb_pretty jsonb
jsonb_send jsonb
jsonb_set jsonb, text[], jsonb, boolean
jsonb_set_lax jsonb, text[], jsonb, boolean, text
jsonb_strip_nulls jsonb;jsonb, boolean
jsonb_to_record jsonb
jsonb_to_recordset jsonb
jsonb_to_tsvector jsonb, jsonb;regconfig, jsonb, jsonb
jsonb_typeof jsonb
jsonpath_send jsonpath
justify_days interval
justify_hours interval
justify_interval interval
lag anycompatible, integer, anycompatible;anyelement;anyelement, integer;anyelement, integer, anyelement
last_value anyelement
lcm bigint, bigint;integer, integer;numeric, numeric
lead anycompatible, integer, anycompatible;anyelement;anyelement, integer;anyelement, integer, anyelement
left text, integer
length bit;bytea;bytea, name;character;lseg;path;text;tsvector
lgamma double precision
like bytea, bytea;name, text;text, text
like_escape bytea, bytea;text, text
line point, point
line_distance line, line
line_eq line, line
line_horizontal line
line_interpt line, line
line_intersect line, line
line_parallel line, line
line_perp line, line
line_send line
line_vertical line
ln double precision;numeric
log double precision;numeric;numeric, numeric
log10 double precision;numeric
lower anymultirange;anyrange;text
lower_inc anymultirange;anyrange
lower_inf anymultirange;anyrange
lpad text, integer;text, integer, text
lseg box;point, point
lseg_center lseg
lseg_distance lseg, lseg
lseg_eq lseg, lseg
lseg_ge lseg, lseg
lseg_gt lseg, lseg
lseg_horizontal lseg
lseg_interpt lseg, lseg
lseg_intersect lseg, lseg
lseg_le lseg, lseg
lseg_length lseg
lseg_lt lseg, lseg
lseg_ne lseg, lseg
lseg_parallel lseg, lseg
lseg_perp lseg, lseg
lseg_send lseg
lseg_vertical lseg
ltrim bytea, bytea;text;text, text
macaddr macaddr8
macaddr8 macaddr
macaddr8_and macaddr8, macaddr8
macaddr8_cmp macaddr8, macaddr8
macaddr8_eq macaddr8, macaddr8
macaddr8_ge macaddr8, macaddr8
macaddr8_gt macaddr8, macaddr8
macaddr8_le macaddr8, macaddr8
macaddr8_lt macaddr8, macaddr8
macaddr8_ne macaddr8, macaddr8
macaddr8_not macaddr8
macaddr8_or macaddr8, macaddr8
macaddr8_send macaddr8
macaddr8_set7bit macaddr8
macaddr_and macaddr, macaddr
macaddr_cmp macaddr, macaddr
macaddr_eq macaddr, macaddr
macaddr_ge macaddr, macaddr
macaddr_gt macaddr, macaddr
macaddr_le macaddr, macaddr
macaddr_lt macaddr, macaddr
macaddr_ne macaddr, macaddr
macaddr_not macaddr
macaddr_or macaddr, macaddr
macaddr_send macaddr
make_date integer, integer, integer
make_interval integer, integer, integer, integer, integer, integer, double precision
make_time integer, integer, double precision
make_timestamp integer, integer, integer, integer, integer, double precision
make_timestamptz integer, integer, integer, integer, integer, double precision;integer, integer, integer, integer, integer, double precision, text
makeaclitem oid, oid, text, boolean
masklen inet
max anyarray;anyenum;bigint;bytea;character;date;double precision;inet;integer;interval;money;numeric;oid;pg_lsn;real;record;smallint;text;tid;time with time zone;time without time zone;timestamp with time zone;timestamp without time zone;xid8
md5 bytea;text
min anyarray;anyenum;bigint;bytea;character;date;double precision;inet;integer;interval;money;numeric;oid;pg_lsn;real;record;smallint;text;tid;time with time zone;time without time zone;timestamp with time zone;timestamp without time zone;xid8
min_scale numeric
mod bigint, bigint;integer, integer;numeric, numeric;smallint, smallint
mode anyelement
money bigint;integer;numeric
mul_d_interval double precision, interval
multirange anyrange
multirange_adjacent_multirange anymultirange, anymultirange
multirange_adjacent_range anymultirange, anyrange
multirange_after_multirange anymultirange, anymultirange
multirange_after_range anymultirange, anyrange
multirange_before_multirange anymultirange, anymultirange
multirange_before_range anymultirange, anyrange
multirange_cmp anymultirange, anymultirange
multirange_contained_by_multirange anymultirange, anymultirange
multirange_contained_by_range anymultirange, anyrange
multirange_contains_elem anymultirange, anyelement
multirange_contains_multirange anymultirange, anymultirange
multirange_contains_range anymultirange, anyrange
multirange_eq anymultirange, anymultirange
multirange_ge anymultirange, anymultirange
multirange_gt anymultirange, anymultirange
multirange_intersect anymultirange, anymultirange
multirange_intersect_agg_transfn anymultirange, anymultirange
multirange_le anymultirange, anymultirange
multirange_lt anymultirange, anymultirange
multirange_minus anymultirange, anymultirange
multirange_ne anymultirange, anymultirange
multirange_overlaps_multirange anymultirange, anymultirange
multirange_overlaps_range anymultirange, anyrange
multirange_overleft_multirange anymultirange, anymultirange
multirange_overleft_range anymultirange, anyrange
multirange_overright_multirange anymultirange, anymultirange
multirange_overright_range anymultirange, anyrange
multirange_send anymultirange
multirange_union anymultirange, anymultirange
mxid_age xid
name character;character varying;text
nameconcatoid name, oid
nameeq name, name
nameeqtext name, text
namege name, name
namegetext name, text
namegt name, name
namegttext name, text
nameiclike name, text
nameicnlike name, text
nameicregexeq name, text
nameicregexne name, text
namele name, name
nameletext name, text
namelike name, text
namelt name, name
namelttext name, text
namene name, name
namenetext name, text
namenlike name, text
nameregexeq name, text
nameregexne name, text
namesend name
netmask inet
network inet
network_cmp inet, inet
network_eq inet, inet
network_ge inet, inet
network_gt inet, inet
network_larger inet, inet
network_le inet, inet
network_lt inet, inet
network_ne inet, inet
network_overlap inet, inet
network_smaller inet, inet
network_sub inet, inet
network_subeq inet, inet
network_sup inet, inet
network_supeq inet, inet
normalize text, text
notlike bytea, bytea;name, text;text, text
now
npoints path;polygon
nth_value anyelement, integer
ntile integer
num_nonnulls "any"
num_nulls "any"
numeric bigint;double precision;integer;jsonb;money;numeric, integer;real;smallint
numeric_abs numeric
numeric_add numeric, numeric
numeric_cmp numeric, numeric
numeric_div numeric, numeric
numeric_div_trunc numeric, numeric
numeric_eq numeric, numeric
numeric_exp numeric
numeric_fac bigint
numeric_ge numeric, numeric
numeric_gt numeric, numeric
numeric_inc numeric
numeric_larger numeric, numeric
numeric_le numeric, numeric
numeric_ln numeric
numeric_log numeric, numeric
numeric_lt numeric, numeric
numeric_mod numeric, numeric
numeric_mul numeric, numeric
numeric_ne numeric, numeric
numeric_pl_pg_lsn numeric, pg_lsn
numeric_power numeric, numeric
numeric_send numeric
numeric_smaller numeric, numeric
numeric_sqrt numeric
numeric_sub numeric, numeric
numeric_uminus numeric
numeric_uplus numeric
numerictypmodin cstring[]
nummultirange ;numrange;numrange[]
numnode tsquery
numrange numeric, numeric;numeric, numeric, text
numrange_subdiff numeric, numeric
obj_description oid;oid, name
octet_length bit;bytea;character;text
oid bigint
oideq oid, oid
oidge oid, oid
oidgt oid, oid
oidlarger oid, oid
oidle oid, oid
oidlt oid, oid
oidne oid, oid
oidsend oid
oidsmaller oid, oid
oidvectoreq oidvector, oidvector
oidvectorge oidvector, oidvector
oidvectorgt oidvector, oidvector
oidvectorle oidvector, oidvector
oidvectorlt oidvector, oidvector
oidvectorne oidvector, oidvector
oidvectorsend oidvector
oidvectortypes oidvector
on_pb point, box
on_pl point, line
on_ppath point, path
on_ps point, lseg
on_sb lseg, box
on_sl lseg, line
overlaps time with time zone, time with time zone, time with time zone, time with time zone;time without time zone, interval, time without time zone, interval;time without time zone, interval, time without time zone, time without time zone;time without time zone, time without time zone, time without time zone, interval;time without time zone, time without time zone, time without time zone, time without time zone;timestamp with time zone, interval, timestamp with time zone, interval;timestamp with time zone, interval, timestamp with time zone, timestamp with time zone;timestamp with time zone, timestamp with time zone, timestamp with time zone, interval;timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone;timestamp without time zone, interval, timestamp without time zone, interval;timestamp without time zone, interval, timestamp without time zone, timestamp without time zone;timestamp without time zone, timestamp without time zone, timestamp without time zone, interval;timestamp without time zone, timestamp without time zone, timestamp without time zone, timestamp without time zone
overlay bit, bit, integer;bit, bit, integer, integer;bytea, bytea, integer;bytea, bytea, integer, integer;text, text, integer;text, text, integer, integer
parse_ident text, boolean
path polygon
path_add path, path
path_add_pt path, point
path_center path
path_contain_pt path, point
path_distance path, path
path_div_pt path, point
path_inter path, path
path_length path
path_mul_pt path, point
path_n_eq path, path
path_n_ge path, path
path_n_gt path, path
path_n_le path, path
path_n_lt path, path
path_npoints path
path_send path
path_sub_pt path, point
pclose path
percent_rank ;"any"
percentile_cont double precision, double precision;double precision, interval;double precision[], double precision;double precision[], interval
percentile_disc double precision, anyelement;double precision[], anyelement
pg_available_extension_versions
pg_available_extensions
pg_backend_pid
pg_backup_start_time
pg_basetype regtype
pg_char_to_encoding name
pg_client_encoding
pg_collation_for "any"
pg_collation_is_visible oid
pg_column_compression "any"
pg_column_is_updatable regclass, smallint, boolean
pg_column_size "any"
pg_column_toast_chunk_id "any"
pg_conf_load_time
pg_config
pg_conversion_is_visible oid
pg_current_snapshot
pg_current_xact_id_if_assigned
pg_cursor
pg_dependencies_send pg_dependencies
pg_describe_object oid, oid, integer
pg_encoding_max_length integer
pg_encoding_to_char integer
pg_extension_update_paths name
pg_filenode_relation oid, oid
pg_function_is_visible oid
pg_get_acl oid, oid, integer
pg_get_catalog_foreign_keys
pg_get_constraintdef oid;oid, boolean
pg_get_expr pg_node_tree, oid;pg_node_tree, oid, boolean
pg_get_function_arg_default oid, integer
pg_get_function_arguments oid
pg_get_function_identity_arguments oid
pg_get_function_result oid
pg_get_function_sqlbody oid
pg_get_functiondef oid
pg_get_indexdef oid;oid, integer, boolean
pg_get_keywords
pg_get_object_address text, text[], text[]
pg_get_partition_constraintdef oid
pg_get_partkeydef oid
pg_get_replica_identity_index regclass
pg_get_replication_slots
pg_get_ruledef oid;oid, boolean
pg_get_serial_sequence text, text
pg_get_statisticsobjdef oid
pg_get_statisticsobjdef_columns oid
pg_get_statisticsobjdef_expressions oid
pg_get_triggerdef oid;oid, boolean
pg_get_userbyid oid
pg_get_viewdef oid;oid, boolean;oid, integer;text;text, boolean
pg_has_role name, name, text;name, oid, text;name, text;oid, name, text;oid, oid, text;oid, text
pg_identify_object oid, oid, integer
pg_identify_object_as_address oid, oid, integer
pg_index_column_has_property regclass, integer, text
pg_index_has_property regclass, text
pg_indexam_has_property oid, text
pg_indexam_progress_phasename oid, bigint
pg_is_other_temp_schema oid
pg_listening_channels
pg_lsn numeric
pg_lsn_cmp pg_lsn, pg_lsn
pg_lsn_eq pg_lsn, pg_lsn
pg_lsn_ge pg_lsn, pg_lsn
pg_lsn_gt pg_lsn, pg_lsn
pg_lsn_hash pg_lsn
pg_lsn_hash_extended pg_lsn, bigint
pg_lsn_larger pg_lsn, pg_lsn
pg_lsn_le pg_lsn, pg_lsn
pg_lsn_lt pg_lsn, pg_lsn
pg_lsn_mi pg_lsn, pg_lsn
pg_lsn_mii pg_lsn, numeric
pg_lsn_ne pg_lsn, pg_lsn
pg_lsn_pli pg_lsn, numeric
pg_lsn_send pg_lsn
pg_lsn_smaller pg_lsn, pg_lsn
pg_mcv_list_items pg_mcv_list
pg_mcv_list_send pg_mcv_list
pg_my_temp_schema
pg_ndistinct_send pg_ndistinct
pg_numa_available
pg_opclass_is_visible oid
pg_operator_is_visible oid
pg_opfamily_is_visible oid
pg_options_to_table text[]
pg_partition_root regclass
pg_postmaster_start_time
pg_prepared_statement
pg_relation_filenode regclass
pg_relation_filepath regclass
pg_relation_is_publishable regclass
pg_relation_is_updatable regclass, boolean
pg_replication_origin_oid text
pg_sequence_parameters oid
pg_settings_get_flags text
pg_show_all_settings
pg_size_bytes text
pg_size_pretty bigint;numeric
pg_snapshot_send pg_snapshot
pg_snapshot_xip pg_snapshot
pg_snapshot_xmax pg_snapshot
pg_snapshot_xmin pg_snapshot
pg_split_walfile_name text
pg_stat_get_activity integer
pg_stat_get_analyze_count oid
pg_stat_get_archiver
pg_stat_get_autoanalyze_count oid
pg_stat_get_autovacuum_count oid
pg_stat_get_backend_activity integer
pg_stat_get_backend_activity_start integer
pg_stat_get_backend_client_addr integer
pg_stat_get_backend_client_port integer
pg_stat_get_backend_dbid integer
pg_stat_get_backend_idset
pg_stat_get_backend_pid integer
pg_stat_get_backend_start integer
pg_stat_get_backend_subxact integer
pg_stat_get_backend_userid integer
pg_stat_get_backend_wait_event integer
pg_stat_get_backend_wait_event_type integer
pg_stat_get_backend_xact_start integer
pg_stat_get_bgwriter_buf_written_checkpoints
pg_stat_get_bgwriter_buf_written_clean
pg_stat_get_bgwriter_maxwritten_clean
pg_stat_get_bgwriter_requested_checkpoints
pg_stat_get_bgwriter_stat_reset_time
pg_stat_get_bgwriter_timed_checkpoints
pg_stat_get_blocks_fetched oid
pg_stat_get_blocks_hit oid
pg_stat_get_buf_alloc
pg_stat_get_buf_fsync_backend
pg_stat_get_buf_written_backend
pg_stat_get_checkpoint_sync_time
pg_stat_get_checkpoint_write_time
pg_stat_get_checkpointer_buffers_written
pg_stat_get_checkpointer_num_performed
pg_stat_get_checkpointer_num_requested
pg_stat_get_checkpointer_num_timed
pg_stat_get_checkpointer_restartpoints_performed
pg_stat_get_checkpointer_restartpoints_requested
pg_stat_get_checkpointer_restartpoints_timed
pg_stat_get_checkpointer_slru_written
pg_stat_get_checkpointer_stat_reset_time
pg_stat_get_checkpointer_sync_time
pg_stat_get_checkpointer_write_time
pg_stat_get_db_active_time oid
pg_stat_get_db_blk_read_time oid
pg_stat_get_db_blk_write_time oid
pg_stat_get_db_blocks_fetched oid
pg_stat_get_db_blocks_hit oid
pg_stat_get_db_checksum_failures oid
pg_stat_get_db_checksum_last_failure oid
pg_stat_get_db_conflict_all oid
pg_stat_get_db_conflict_bufferpin oid
pg_stat_get_db_conflict_lock oid
pg_stat_get_db_conflict_logicalslot oid
pg_stat_get_db_conflict_snapshot oid
pg_stat_get_db_conflict_startup_deadlock oid
pg_stat_get_db_conflict_tablespace oid
pg_stat_get_db_deadlocks oid
pg_stat_get_db_idle_in_transaction_time oid
pg_stat_get_db_numbackends oid
pg_stat_get_db_parallel_workers_launched oid
pg_stat_get_db_parallel_workers_to_launch oid
pg_stat_get_db_session_time oid
pg_stat_get_db_sessions oid
pg_stat_get_db_sessions_abandoned oid
pg_stat_get_db_sessions_fatal oid
pg_stat_get_db_sessions_killed oid
pg_stat_get_db_stat_reset_time oid
pg_stat_get_db_temp_bytes oid
pg_stat_get_db_temp_files oid
pg_stat_get_db_tuples_deleted oid
pg_stat_get_db_tuples_fetched oid
pg_stat_get_db_tuples_inserted oid
pg_stat_get_db_tuples_returned oid
pg_stat_get_db_tuples_updated oid
pg_stat_get_db_xact_commit oid
pg_stat_get_db_xact_rollback oid
pg_stat_get_dead_tuples oid
pg_stat_get_function_calls oid
pg_stat_get_function_self_time oid
pg_stat_get_function_total_time oid
pg_stat_get_ins_since_vacuum oid
pg_stat_get_last_analyze_time oid
pg_stat_get_last_autoanalyze_time oid
pg_stat_get_last_autovacuum_time oid
pg_stat_get_last_vacuum_time oid
pg_stat_get_lastscan oid
pg_stat_get_live_tuples oid
pg_stat_get_mod_since_analyze oid
pg_stat_get_numscans oid
pg_stat_get_progress_info text
pg_stat_get_replication_slot text
pg_stat_get_slru
pg_stat_get_snapshot_timestamp
pg_stat_get_subscription oid
pg_stat_get_subscription_stats oid
pg_stat_get_total_analyze_time oid
pg_stat_get_total_autoanalyze_time oid
pg_stat_get_total_autovacuum_time oid
pg_stat_get_total_vacuum_time oid
pg_stat_get_tuples_deleted oid
pg_stat_get_tuples_fetched oid
pg_stat_get_tuples_hot_updated oid
pg_stat_get_tuples_inserted oid
pg_stat_get_tuples_newpage_updated oid
pg_stat_get_tuples_returned oid
pg_stat_get_tuples_updated oid
pg_stat_get_vacuum_count oid
pg_stat_get_wal
pg_stat_get_wal_receiver
pg_stat_get_wal_senders
pg_statistics_obj_is_visible oid
pg_table_is_visible oid
pg_tablespace_databases oid
pg_tablespace_location oid
pg_timezone_abbrevs
pg_timezone_abbrevs_abbrevs
pg_timezone_abbrevs_zone
pg_timezone_names
pg_trigger_depth
pg_ts_config_is_visible oid
pg_ts_dict_is_visible oid
pg_ts_parser_is_visible oid
pg_ts_template_is_visible oid
pg_type_is_visible oid
pg_typeof "any"
pg_visible_in_snapshot xid8, pg_snapshot
pg_wal_lsn_diff pg_lsn, pg_lsn
pg_walfile_name pg_lsn
pg_walfile_name_offset pg_lsn
phraseto_tsquery regconfig, text;text
pi
plainto_tsquery regconfig, text;text
point box;circle;double precision, double precision;lseg;path;polygon
point_above point, point
point_add point, point
point_below point, point
point_distance point, point
point_div point, point
point_eq point, point
point_horiz point, point
point_left point, point
point_mul point, point
point_ne point, point
point_right point, point
point_send point
point_sub point, point
point_vert point, point
poly_above polygon, polygon
poly_below polygon, polygon
poly_center polygon
poly_contain polygon, polygon
poly_contain_pt polygon, point
poly_contained polygon, polygon
poly_distance polygon, polygon
poly_left polygon, polygon
poly_npoints polygon
poly_overabove polygon, polygon
poly_overbelow polygon, polygon
poly_overlap polygon, polygon
poly_overleft polygon, polygon
poly_overright polygon, polygon
poly_right polygon, polygon
poly_same polygon, polygon
poly_send polygon
polygon box;circle;integer, circle;path
popen path
position bit, bit;bytea, bytea;text, text
postgresql_fdw_validator text[], oid
pow double precision, double precision;numeric, numeric
power double precision, double precision;numeric, numeric
pt_contained_circle point, circle
pt_contained_poly point, polygon
querytree tsquery
quote_ident text
quote_literal anyelement;text
quote_nullable anyelement;text
radians double precision
radius circle
range_adjacent anyrange, anyrange
range_adjacent_multirange anyrange, anymultirange
range_after anyrange, anyrange
range_after_multirange anyrange, anymultirange
range_agg anymultirange;anyrange
range_before anyrange, anyrange
range_before_multirange anyrange, anymultirange
range_cmp anyrange, anyrange
range_contained_by anyrange, anyrange
range_contained_by_multirange anyrange, anymultirange
range_contains anyrange, anyrange
range_contains_elem anyrange, anyelement
range_contains_multirange anyrange, anymultirange
range_eq anyrange, anyrange
range_ge anyrange, anyrange
range_gt anyrange, anyrange
range_intersect anyrange, anyrange
range_intersect_agg anymultirange;anyrange
range_intersect_agg_transfn anyrange, anyrange
range_le anyrange, anyrange
range_lt anyrange, anyrange
range_merge anymultirange;anyrange, anyrange
range_minus anyrange, anyrange
range_ne anyrange, anyrange
range_overlaps anyrange, anyrange
range_overlaps_multirange anyrange, anymultirange
range_overleft anyrange, anyrange
range_overleft_multirange anyrange, anymultirange
range_overright anyrange, anyrange
range_overright_multirange anyrange, anymultirange
range_send anyrange
range_union anyrange, anyrange
rank ;"any"
record_eq record, record
record_ge record, record
record_gt record, record
record_image_eq record, record
record_image_ge record, record
record_image_gt record, record
record_image_le record, record
record_image_lt record, record
record_image_ne record, record
record_larger record, record
record_le record, record
record_lt record, record
record_ne record, record
record_send record
record_smaller record, record
regclass text
regclasssend regclass
regcollationsend regcollation
regconfigsend regconfig
regdictionarysend regdictionary
regexp_count text, text;text, text, integer;text, text, integer, text
regexp_instr text, text;text, text, integer;text, text, integer, integer;text, text, integer, integer, integer;text, text, integer, integer, integer, text;text, text, integer, integer, integer, text, integer
regexp_like text, text;text, text, text
regexp_match text, text;text, text, text
regexp_matches text, text;text, text, text
regexp_replace text, text, text;text, text, text, integer;text, text, text, integer, integer;text, text, text, integer, integer, text;text, text, text, text
regexp_split_to_array text, text;text, text, text
regexp_split_to_table text, text;text, text, text
regexp_substr text, text;text, text, integer;text, text, integer, integer;text, text, integer, integer, text;text, text, integer, integer, text, integer
regnamespacesend regnamespace
regoperatorsend regoperator
regopersend regoper
regproceduresend regprocedure
regprocsend regproc
regr_avgx double precision, double precision
regr_avgy double precision, double precision
regr_count double precision, double precision
regr_intercept double precision, double precision
regr_r2 double precision, double precision
regr_slope double precision, double precision
regr_sxx double precision, double precision
regr_sxy double precision, double precision
regr_syy double precision, double precision
regrolesend regrole
regtypesend regtype
repeat text, integer
replace text, text, text
reverse bytea;text
right text, integer
round double precision;numeric;numeric, integer
row_number
row_security_active oid;text
row_to_json record;record, boolean
rpad text, integer;text, integer, text
rtrim bytea, bytea;text;text, text
satisfies_hash_partition oid, integer, integer, "any"
scale numeric
session_user
set_bit bit, integer, integer;bytea, bigint, integer
set_byte bytea, integer, integer
set_masklen cidr, integer;inet, integer
setweight tsvector, "char";tsvector, "char", text[]
sha224 bytea
sha256 bytea
sha384 bytea
sha512 bytea
shobj_description oid, name
sign double precision;numeric
similar_escape text, text
similar_to_escape text;text, text
sin double precision
sind double precision
sinh double precision
slope point, point
spg_poly_quad_compress polygon
split_part text, text, integer
sqrt double precision;numeric
starts_with text, text
statement_timestamp
stddev bigint;double precision;integer;numeric;real;smallint
stddev_pop bigint;double precision;integer;numeric;real;smallint
stddev_samp bigint;double precision;integer;numeric;real;smallint
string_agg bytea, bytea;text, text
string_to_array text, text;text, text, text
string_to_table text, text;text, text, text
strip tsvector
strpos text, text
substr bytea, integer;bytea, integer, integer;text, integer;text, integer, integer
substring bit, integer;bit, integer, integer;bytea, integer;bytea, integer, integer;text, integer;text, integer, integer;text, text;text, text, text
sum bigint;double precision;integer;interval;money;numeric;real;smallint
system_user
tan double precision
tand double precision
tanh double precision
text "char";boolean;character;inet;name;xml
text_ge text, text
text_gt text, text
text_larger text, text
text_le text, text
text_lt text, text
text_pattern_ge text, text
text_pattern_gt text, text
text_pattern_le text, text
text_pattern_lt text, text
text_smaller text, text
textanycat text, anynonarray
textcat text, text
texteq text, text
texteqname text, name
textgename text, name
textgtname text, name
texticlike text, text
texticnlike text, text
texticregexeq text, text
texticregexne text, text
textlen text
textlename text, name
textlike text, text
textltname text, name
textne text, text
textnename text, name
textnlike text, text
textregexeq text, text
textregexne text, text
textsend text
tideq tid, tid
tidge tid, tid
tidgt tid, tid
tidlarger tid, tid
tidle tid, tid
tidlt tid, tid
tidne tid, tid
tidsend tid
tidsmaller tid, tid
time interval;time with time zone;time without time zone, integer;timestamp with time zone;timestamp without time zone
time_cmp time without time zone, time without time zone
time_eq time without time zone, time without time zone
time_ge time without time zone, time without time zone
time_gt time without time zone, time without time zone
time_hash time without time zone
time_hash_extended time without time zone, bigint
time_larger time without time zone, time without time zone
time_le time without time zone, time without time zone
time_lt time without time zone, time without time zone
time_mi_interval time without time zone, interval
time_mi_time time without time zone, time without time zone
time_ne time without time zone, time without time zone
time_pl_interval time without time zone, interval
time_send time without time zone
time_smaller time without time zone, time without time zone
timedate_pl time without time zone, date
timestamp date;date, time without time zone;timestamp with time zone;timestamp without time zone, integer
timestamp_cmp timestamp without time zone, timestamp without time zone
timestamp_cmp_date timestamp without time zone, date
timestamp_cmp_timestamptz timestamp without time zone, timestamp with time zone
timestamp_eq timestamp without time zone, timestamp without time zone
timestamp_eq_date timestamp without time zone, date
timestamp_eq_timestamptz timestamp without time zone, timestamp with time zone
timestamp_ge timestamp without time zone, timestamp without time zone
timestamp_ge_date timestamp without time zone, date
timestamp_ge_timestamptz timestamp without time zone, timestamp with time zone
timestamp_gt timestamp without time zone, timestamp without time zone
timestamp_gt_date timestamp without time zone, date
timestamp_gt_timestamptz timestamp without time zone, timestamp with time zone
timestamp_hash timestamp without time zone
timestamp_hash_extended timestamp without time zone, bigint
timestamp_larger timestamp without time zone, timestamp without time zone
timestamp_le timestamp without time zone, timestamp without time zone
timestamp_le_date timestamp without time zone, date
timestamp_le_timestamptz timestamp without time zone, timestamp with time zone
timestamp_lt timestamp without time zone, timestamp without time zone
timestamp_lt_date timestamp without time zone, date
timestamp_lt_timestamptz timestamp without time zone, timestamp with time zone
timestamp_mi timestamp without time zone, timestamp without time zone
timestamp_mi_interval timestamp without time zone, interval
timestamp_ne timestamp without time zone, timestamp without time zone
timestamp_ne_date timestamp without time zone, date
timestamp_ne_timestamptz timestamp without time zone, timestamp with time zone
timestamp_pl_interval timestamp without time zone, interval
timestamp_send timestamp without time zone
timestamp_smaller timestamp without time zone, timestamp without time zone
timestamptypmodin cstring[]
timestamptz date;date, time with time zone;date, time without time zone;timestamp with time zone, integer;timestamp without time zone
timestamptz_cmp timestamp with time zone, timestamp with time zone
timestamptz_cmp_date timestamp with time zone, date
timestamptz_cmp_timestamp timestamp with time zone, timestamp without time zone
timestamptz_eq timestamp with time zone, timestamp with time zone
timestamptz_eq_date timestamp with time zone, date
timestamptz_eq_timestamp timestamp with time zone, timestamp without time zone
timestamptz_ge timestamp with time zone, timestamp with time zone
timestamptz_ge_date timestamp with time zone, date
timestamptz_ge_timestamp timestamp with time zone, timestamp without time zone
timestamptz_gt timestamp with time zone, timestamp with time zone
timestamptz_gt_date timestamp with time zone, date
timestamptz_gt_timestamp timestamp with time zone, timestamp without time zone
timestamptz_hash timestamp with time zone
timestamptz_hash_extended timestamp with time zone, bigint
timestamptz_larger timestamp with time zone, timestamp with time zone
timestamptz_le timestamp with time zone, timestamp with time zone
timestamptz_le_date timestamp with time zone, date
timestamptz_le_timestamp timestamp with time zone, timestamp without time zone
timestamptz_lt timestamp with time zone, timestamp with time zone
timestamptz_lt_date timestamp with time zone, date
timestamptz_lt_timestamp timestamp with time zone, timestamp without time zone
timestamptz_mi timestamp with time zone, timestamp with time zone
timestamptz_mi_interval timestamp with time zone, interval
timestamptz_ne timestamp with time zone, timestamp with time zone
timestamptz_ne_date timestamp with time zone, date
timestamptz_ne_timestamp timestamp with time zone, timestamp without time zone
timestamptz_pl_interval timestamp with time zone, interval
timestamptz_send timestamp with time zone
timestamptz_smaller timestamp with time zone, timestamp with time zone
timestamptztypmodin cstring[]
timetypmodin cstring[]
timetz time with time zone, integer;time without time zone;timestamp with time zone
timetz_cmp time with time zone, time with time zone
timetz_eq time with time zone, time with time zone
timetz_ge time with time zone, time with time zone
timetz_gt time with time zone, time with time zone
timetz_hash time with time zone
timetz_hash_extended time with time zone, bigint
timetz_larger time with time zone, time with time zone
timetz_le time with time zone, time with time zone
timetz_lt time with time zone, time with time zone
timetz_mi_interval time with time zone, interval
timetz_ne time with time zone, time with time zone
timetz_pl_interval time with time zone, interval
timetz_send time with time zone
timetz_smaller time with time zone, time with time zone
timetzdate_pl time with time zone, date
timetztypmodin cstring[]
timezone interval, time with time zone;interval, timestamp with time zone;interval, timestamp without time zone;text, timestamp with time zone;text, timestamp without time zone;time with time zone;timestamp with time zone;timestamp without time zone
to_ascii text;text, integer;text, name
to_bin bigint;integer
to_char bigint, text;double precision, text;integer, text;interval, text;numeric, text;real, text;timestamp with time zone, text;timestamp without time zone, text
to_date text, text
to_hex bigint;integer
to_json anyelement
to_jsonb anyelement
to_number text, text
to_oct bigint;integer
to_regclass text
to_regcollation text
to_regnamespace text
to_regoper text
to_regoperator text
to_regproc text
to_regprocedure text
to_regrole text
to_regtype text
to_regtypemod text
to_timestamp double precision;text, text
to_tsquery regconfig, text;text
to_tsvector json;jsonb;regconfig, json;regconfig, jsonb;regconfig, text;text
transaction_timestamp
translate text, text, text
trim_array anyarray, integer
trim_scale numeric
trunc double precision;macaddr;macaddr8;numeric;numeric, integer
ts_debug regconfig, text;text
ts_delete tsvector, text;tsvector, text[]
ts_filter tsvector, "char"[]
ts_headline json, tsquery;json, tsquery, text;jsonb, tsquery;jsonb, tsquery, text;regconfig, json, tsquery;regconfig, json, tsquery, text;regconfig, jsonb, tsquery;regconfig, jsonb, tsquery, text;regconfig, text, tsquery;regconfig, text, tsquery, text;text, tsquery;text, tsquery, text
ts_lexize regdictionary, text
ts_match_qv tsquery, tsvector
ts_match_tq text, tsquery
ts_match_tt text, text
ts_match_vq tsvector, tsquery
ts_parse oid, text;text, text
ts_rank real[], tsvector, tsquery;real[], tsvector, tsquery, integer;tsvector, tsquery;tsvector, tsquery, integer
ts_rank_cd real[], tsvector, tsquery;real[], tsvector, tsquery, integer;tsvector, tsquery;tsvector, tsquery, integer
ts_rewrite tsquery, tsquery, tsquery
ts_token_type oid;text
tsmultirange ;tsrange;tsrange[]
tsq_mcontained tsquery, tsquery
tsq_mcontains tsquery, tsquery
tsquery_and tsquery, tsquery
tsquery_cmp tsquery, tsquery
tsquery_eq tsquery, tsquery
tsquery_ge tsquery, tsquery
tsquery_gt tsquery, tsquery
tsquery_le tsquery, tsquery
tsquery_lt tsquery, tsquery
tsquery_ne tsquery, tsquery
tsquery_not tsquery
tsquery_or tsquery, tsquery
tsquery_phrase tsquery, tsquery;tsquery, tsquery, integer
tsquerysend tsquery
tsrange timestamp without time zone, timestamp without time zone;timestamp without time zone, timestamp without time zone, text
tsrange_subdiff timestamp without time zone, timestamp without time zone
tstzmultirange ;tstzrange;tstzrange[]
tstzrange timestamp with time zone, timestamp with time zone;timestamp with time zone, timestamp with time zone, text
tstzrange_subdiff timestamp with time zone, timestamp with time zone
tsvector_cmp tsvector, tsvector
tsvector_concat tsvector, tsvector
tsvector_eq tsvector, tsvector
tsvector_ge tsvector, tsvector
tsvector_gt tsvector, tsvector
tsvector_le tsvector, tsvector
tsvector_lt tsvector, tsvector
tsvector_ne tsvector, tsvector
tsvector_to_array tsvector
tsvectorsend tsvector
txid_current_if_assigned
txid_current_snapshot
txid_snapshot_send txid_snapshot
txid_snapshot_xip txid_snapshot
txid_snapshot_xmax txid_snapshot
txid_snapshot_xmin txid_snapshot
txid_visible_in_snapshot bigint, txid_snapshot
unicode_assigned text
unicode_version
unistr text
unknownsend unknown
unnest anyarray;anymultirange;tsvector
upper anymultirange;anyrange;text
upper_inc anymultirange;anyrange
upper_inf anymultirange;anyrange
uuid_cmp uuid, uuid
uuid_eq uuid, uuid
uuid_extract_timestamp uuid
uuid_extract_version uuid
uuid_ge uuid, uuid
uuid_gt uuid, uuid
uuid_hash uuid
uuid_hash_extended uuid, bigint
uuid_le uuid, uuid
uuid_lt uuid, uuid
uuid_ne uuid, uuid
uuid_send uuid
var_pop bigint;double precision;integer;numeric;real;smallint
var_samp bigint;double precision;integer;numeric;real;smallint
varbit bit varying, integer, boolean
varbit_send bit varying
varbitcmp bit varying, bit varying
varbiteq bit varying, bit varying
varbitge bit varying, bit varying
varbitgt bit varying, bit varying
varbitle bit varying, bit varying
varbitlt bit varying, bit varying
varbitne bit varying, bit varying
varbittypmodin cstring[]
varchar character varying, integer, boolean;name
varcharsend character varying
varchartypmodin cstring[]
variance bigint;double precision;integer;numeric;real;smallint
version
websearch_to_tsquery regconfig, text;text
width box
width_bucket anycompatible, anycompatiblearray;anyelement, anyarray;double precision, double precision, double precision, integer;numeric, numeric, numeric, integer
xid xid8
xid8_larger xid8, xid8
xid8_smaller xid8, xid8
xid8cmp xid8, xid8
xid8eq xid8, xid8
xid8ge xid8, xid8
xid8gt xid8, xid8
xid8le xid8, xid8
xid8lt xid8, xid8
xid8ne xid8, xid8
xid8send xid8
xideq xid, xid
xideqint4 xid, integer
xidneq xid, xid
xidneqint4 xid, integer
xidsend xid
xml text
xml_is_well_formed text
xml_is_well_formed_content text
xml_is_well_formed_document text
xml_send xml
xmlagg xml
xmlcomment text
xmlconcat2 xml, xml
xmlexists text, xml
xmltext text
xmlvalidate xml, text
xpath text, xml;text, xml, text[]
xpath_exists text, xml;text, xml, text[]
`
