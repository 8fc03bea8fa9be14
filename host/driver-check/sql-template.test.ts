import { expect, test } from 'vitest'
import { accessOf, analyse } from '../../plugins/templates/sql/console.ts'

/** The verdicts of the template `sql`, from which authors start: what hides from its scanner is never called a read. */

test.each([
	'select * from orders',
	"select count(*) from customers where name = 'it''s; drop table x' -- end",
	'with big as (select 1) select * from big',
	'explain select 1',
	'/* drop */ values (1)',
	'select {{id}}',
])('%s is a read', text => {
	expect(accessOf(text)).toBe('read')
})

test.each([
	'select load_extension(1)',
	'select "load_extension" (1)',
	'select `load_extension`(1)',
	'select [load_extension](1)',
	'select load_extension/**/(1)',
	"select 'a\\' ; drop table x --'",
	"select E'\\', nextval(1), '",
	'select $$ $$, nextval(1)',
	"select 1 --it's\r, nextval(1) --'",
	'select 1 /*! , nextval(1) */',
	'select 1 into copy_of_x',
	'select * from orders for update',
	'with gone as (delete from orders returning *) select * from gone',
	'explain analyze delete from orders',
	'select 1; drop table orders',
	'select 1\u0000',
	'\uFEFFselect 1',
	'select 1load_extension(2)',
	'insert or replace into orders values (1)',
	'insert into orders values (1) on conflict do update set state = 1',
	"insert into orders values (load_extension('x'))",
	'update orders set state = 1',
	'pragma journal_mode = delete',
	'',
])('%j may destroy data', text => {
	expect(accessOf(text)).toBe('destructive')
})

test('a place inside a text or a name is a fault of its statement', () => {
	const faults = analyse(`select {{a}}; select '{{a}}'; select "{{a}}"`).map(({ fault }) => fault?.code)
	expect(faults).toEqual([undefined, 'invalid_argument', 'invalid_argument'])
})
