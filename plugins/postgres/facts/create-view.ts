import { accessMethod, storageOptions, tablespace } from './create-table.ts'

/** CREATE VIEW, also of a materialized view. */
export const createView = `
select concat('create ', case c.relkind when 'm' then 'materialized ' else 'or replace ' end, 'view ', self.name, case when c.relkind = 'm' then ${accessMethod('c')} end,
	${storageOptions('c')}, ${tablespace('c')}, E' as\\n', rtrim(pg_get_viewdef(c.oid, true), E'; \\n'),
	case when not c.relispopulated then E'\\nwith no data' end)
from self join pg_class c on c.oid = self.oid`

export const viewDefaults = `
select format('alter view %s alter column %I set default %s', self.name, a.attname, pg_get_expr(d.adbin, d.adrelid, true))
from self join pg_attrdef d on d.adrelid = self.oid join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum order by a.attnum`
