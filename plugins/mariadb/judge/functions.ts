import type { ServerVersion } from '../wire/login.ts'

/**
 * Built-in functions that act on nothing: they change no row, variable, file, lock or sequence, and do not wait. A server
 * that lacks one would run a routine of that name, so each is in the oldest versions that the driver supports.
 * https://mariadb.com/kb/en/built-in-functions/ and https://dev.mysql.com/doc/refman/8.0/en/functions.html
 */

const numbers =
	'abs acos asin atan atan2 ceil ceiling conv cos cot crc32 degrees exp floor format hex ln log log10 log2 mod oct pi pow power radians rand round sign sin sqrt tan truncate'
const texts =
	'ascii bin bit_length char char_length character_length concat concat_ws elt export_set field find_in_set from_base64 insert instr lcase left length locate lower lpad ltrim make_set mid octet_length ord position quote regexp_instr regexp_replace regexp_substr repeat replace reverse right rpad rtrim soundex space strcmp substr substring substring_index to_base64 trim ucase unhex upper weight_string'
const dates =
	'adddate addtime convert_tz curdate current_date current_time current_timestamp curtime date date_add date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear extract from_days from_unixtime get_format hour last_day localtime localtimestamp makedate maketime microsecond minute month monthname now period_add period_diff quarter sec_to_time second str_to_date subdate subtime sysdate time time_format time_to_sec timediff timestamp timestampadd timestampdiff to_days to_seconds unix_timestamp utc_date utc_time utc_timestamp week weekday weekofyear year yearweek'
const choices = 'cast coalesce convert greatest if ifnull interval isnull least nullif'
const aggregates =
	'avg bit_and bit_count bit_or bit_xor count group_concat json_arrayagg json_objectagg max min std stddev stddev_pop stddev_samp sum var_pop var_samp variance'
const windows = 'cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number'
const documents =
	'extractvalue json_array json_array_append json_array_insert json_contains json_contains_path json_depth json_extract json_insert json_keys json_length json_merge_patch json_merge_preserve json_object json_overlaps json_quote json_remove json_replace json_search json_set json_table json_type json_unquote json_valid json_value updatexml'
const codes =
	'aes_decrypt aes_encrypt compress md5 sha sha1 sha2 uncompress uncompressed_length inet6_aton inet6_ntoa inet_aton inet_ntoa is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6 uuid'
const session =
	'charset coercibility collation connection_id current_role current_user database found_rows row_count schema session_user system_user user version'
const shapes =
	'st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_buffer st_centroid st_contains st_convexhull st_crosses st_difference st_dimension st_disjoint st_distance st_distance_sphere st_endpoint st_envelope st_equals st_exteriorring st_geomcollfromtext st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb st_interiorringn st_intersection st_intersects st_isclosed st_isempty st_issimple st_length st_linefromtext st_numgeometries st_numinteriorrings st_numpoints st_overlaps st_pointfromtext st_pointn st_polyfromtext st_srid st_startpoint st_symdifference st_touches st_union st_within st_x st_y mbrcontains mbrdisjoint mbrequal mbrintersects mbroverlaps mbrtouches mbrwithin'

const listOf = (...texts: readonly string[]) => texts.flatMap(text => text.split(' '))

const common = listOf(numbers, texts, dates, choices, aggregates, windows, documents, codes, session, shapes)

const listed: Readonly<Record<ServerVersion['product'], ReadonlySet<string>>> = {
	MariaDB: new Set([
		...common,
		...listOf(
			'add_months chr json_compact json_detailed json_exists json_loose json_query lengthb median nvl nvl2 percentile_cont percentile_disc',
		),
	]),
	MySQL: new Set([
		...common,
		...listOf(
			'any_value bin_to_uuid format_bytes format_pico_time grouping is_uuid json_pretty json_storage_free json_storage_size random_bytes regexp_like st_latitude st_longitude st_transform uuid_to_bin',
		),
	]),
}

/** Returns the names of the functions that a read may call, in lower case. */
export const functionsOf = (product: ServerVersion['product']): ReadonlySet<string> => listed[product]

/**
 * Words before a bracket that are no calls, and before which a blank may stand: no server takes them for the name of a
 * routine, even if there is one.
 */
export const wordsBeforeBracket: ReadonlySet<string> = new Set(
	'all and as asc between by case cross desc distinct div else exists from group having in inner is join left like limit match natural not on or order outer over partition range regexp right rlike rows select straight_join table then union using values when where window with xor char varchar decimal dec numeric float double binary varbinary index key force use ignore'.split(
		' ',
	),
)
