/** Functions, aggregates and triggers as SQL. Each query reads the `oid` of `self`. */

export const functionDefinition = `
select rtrim(pg_get_functiondef(p.oid), E'\\n') from self join pg_proc p on p.oid = self.oid where p.prokind <> 'a'`

/** An operator or a function with its schema, or nothing if it is the 0 of a catalog. */
const named = (kind: 'regproc' | 'regoperator', value: string) =>
	`case when ${value}::oid <> 0 then ${value}::${kind}::text end`
const option = (name: string, value: string) => `format(E',\\n\\t${name} = %s', ${value})`
/** `concat` leaves out an option that is NULL, which `format` would print as an empty text. */
const optional = (name: string, value: string) => `case when ${value} is not null then ${option(name, value)} end`

const moving = `concat(
	${option('msfunc', 'a.aggmtransfn')}, ${option('minvfunc', 'a.aggminvtransfn')}, ${option('mstype', 'format_type(a.aggmtranstype, null)')},
	${optional('mfinalfunc', named('regproc', 'a.aggmfinalfn'))}, ${optional('minitcond', 'quote_literal(a.aggminitval)')})`

/** The server has no function that prints CREATE AGGREGATE. */
export const aggregateDefinition = `
select concat('create aggregate ', format('%I.%I', n.nspname, p.proname), '(', case when p.pronargs = 0 then '*' else pg_get_function_arguments(p.oid) end, E') (\\n\\tsfunc = ',
	a.aggtransfn, ${option('stype', 'format_type(a.aggtranstype, null)')},
	case when a.aggtransspace > 0 then ${option('sspace', 'a.aggtransspace')} end,
	${optional('finalfunc', named('regproc', 'a.aggfinalfn'))}, case when a.aggfinalextra then E',\\n\\tfinalfunc_extra' end,
	${optional('combinefunc', named('regproc', 'a.aggcombinefn'))}, ${optional('serialfunc', named('regproc', 'a.aggserialfn'))},
	${optional('deserialfunc', named('regproc', 'a.aggdeserialfn'))}, ${optional('initcond', 'quote_literal(a.agginitval)')},
	case when a.aggmtransfn::oid <> 0 then ${moving} end,
	case when a.aggsortop <> 0 then (select format(E',\\n\\tsortop = operator(%I.%s)', m.nspname, s.oprname) from pg_operator s join pg_namespace m on m.oid = s.oprnamespace where s.oid = a.aggsortop) end,
	case p.proparallel when 's' then E',\\n\\tparallel = safe' when 'r' then E',\\n\\tparallel = restricted' end,
	case when a.aggkind = 'h' then E',\\n\\thypothetical' end, E'\\n)')
from self join pg_aggregate a on a.aggfnoid = self.oid join pg_proc p on p.oid = self.oid join pg_namespace n on n.oid = p.pronamespace`

export const triggerDefinition = `select pg_get_triggerdef(self.oid) from self`

export const executedFunction = `
select rtrim(pg_get_functiondef(t.tgfoid), E'\\n') from self join pg_trigger t on t.oid = self.oid`
