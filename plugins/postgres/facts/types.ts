/** Types of users as SQL. */

const name = `format('%I.%I', n.nspname, t.typname)`

const labels = `(select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)`

const domain = `(
	select concat(format_type(t.typbasetype, t.typtypmod), case when t.typcollation <> b.typcollation then ' collate ' || t.typcollation::regcollation end,
		' default ' || pg_get_expr(t.typdefaultbin, 0, true), case when t.typnotnull then ' not null' end,
		(select string_agg(format(' constraint %I %s', k.conname, pg_get_constraintdef(k.oid, true)), '' order by k.conname) from pg_constraint k
			where k.contypid = t.oid and k.contype = 'c' and k.convalidated),
		(select string_agg(format(E';\\nalter domain %s add constraint %I %s', ${name}, k.conname, pg_get_constraintdef(k.oid, true)), '' order by k.conname)
			from pg_constraint k where k.contypid = t.oid and k.contype = 'c' and not k.convalidated))
	from pg_type b where b.oid = t.typbasetype)`

const attributes = `(
	select string_agg(concat(quote_ident(a.attname), ' ', format_type(a.atttypid, a.atttypmod),
		case when a.attcollation <> b.typcollation then ' collate ' || a.attcollation::regcollation end), ', ' order by a.attnum)
	from pg_attribute a join pg_type b on b.oid = a.atttypid where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)`

/** CREATE of the enumeration, domain or composite type `self`, with its comment. */
export const typeDefinition = `
select concat('create ', case t.typtype when 'd' then 'domain ' else 'type ' end, ${name}, ' as ',
	case t.typtype when 'e' then 'enum (' || coalesce(${labels}, '') || ')' when 'd' then ${domain} else '(' || coalesce(${attributes}, '') || ')' end,
	format(E';\\ncomment on %s %s is ', case t.typtype when 'd' then 'domain' else 'type' end, ${name}) || quote_literal(obj_description(t.oid, 'pg_type')))
from self join pg_type t on t.oid = self.oid join pg_namespace n on n.oid = t.typnamespace`
