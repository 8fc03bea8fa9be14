/** Sequences as SQL. */

/**
 * Returns SQL of the options of a sequence that the server would not choose itself. @param sequence alias of pg_sequence
 */
export const sequenceOptions = (sequence: string) => `(
	select concat(
		case when o.seqincrement <> 1 then ' increment by ' || o.seqincrement end,
		case when o.seqmin <> case when o.seqincrement > 0 then 1 else -1 - highest end then ' minvalue ' || o.seqmin end,
		case when o.seqmax <> case when o.seqincrement > 0 then highest else -1 end then ' maxvalue ' || o.seqmax end,
		case when o.seqstart <> case when o.seqincrement > 0 then o.seqmin else o.seqmax end then ' start with ' || o.seqstart end,
		case when o.seqcache <> 1 then ' cache ' || o.seqcache end,
		case when o.seqcycle then ' cycle' end)
	from (select ${sequence}.*, case ${sequence}.seqtypid when 'int2'::regtype then 32767 when 'int4'::regtype then 2147483647
		else 9223372036854775807 end as highest) o)`

/** Sequences that belong to a column (`a`). Those of identity columns are part of the column (`i`). */
const owned = `
from self join pg_depend d on d.refobjid = self.oid and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype = 'a'
join pg_class c on c.oid = d.objid and c.relkind = 'S' join pg_namespace n on n.oid = c.relnamespace join pg_sequence s on s.seqrelid = c.oid
join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid`

const create = `format('create %ssequence %I.%I%s%s', case c.relpersistence when 'u' then 'unlogged ' else '' end, n.nspname, c.relname,
	case when s.seqtypid <> 'int8'::regtype then ' as ' || format_type(s.seqtypid, null) end, ${sequenceOptions('s')})`

/** CREATE SEQUENCE of those that belong to the table `self`. */
export const ownedSequences = `select ${create} ${owned} order by a.attnum, c.relname`

/** What makes them belong to the columns of the table. */
export const owners = `
select format('alter sequence %I.%I owned by %s.%I', n.nspname, c.relname, self.name, a.attname) ${owned} order by a.attnum, c.relname`

/** CREATE SEQUENCE of `self`. */
export const sequenceDefinition = `
select ${create} from self join pg_sequence s on s.seqrelid = self.oid join pg_class c on c.oid = self.oid join pg_namespace n on n.oid = c.relnamespace`
