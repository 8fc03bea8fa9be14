/** Databases that differ only in hidden values: `email`, `phone` and `pay` of people, and `pin` of badges. */

export const hiddenMarks = [
	{ table: 'public.people', columns: ['email', 'phone', 'pay'] },
	{ table: 'public.badges', columns: ['id', 'pin'] },
]

export const hiddenSchema = `
create type mood as enum ('low', 'fine');
create table people (
	id int not null, team text not null, name text not null, city text, email text, phone text, pay int check (pay > 0),
	rating numeric(6, 2), mood mood default 'fine', tags text[], extra jsonb, joined timestamptz not null default '2024-01-01',
	mail_host text generated always as (split_part(email, '@', 2)) stored,
	primary key (id, team), unique (email, team)
) partition by list (team);
create table people_a partition of people for values in ('a');
create table people_b partition of people for values in ('b');
create index on people (pay) include (id);
create index on people (lower(phone));
create table badges (id serial primary key, person int, pin text, color text, check (pin <> ''));
create table badge_parts (badge int references badges, part text);
create table loans (id int primary key, person int not null, team text not null, amount numeric(10, 2), state text, items jsonb, at timestamptz not null, foreign key (person, team) references people);
create table claims (id int primary key, mail text, team text, sum numeric, foreign key (mail, team) references people (email, team));
create table goods (id int primary key, name text, price numeric(10, 2), attrs jsonb, labels text[], unique (name));
create table firms (id int primary key, name text, email text, phone text, pay int);
create table badge_log (id int, name text);
create table visits (at timestamptz, was jsonb);
create table parent_of (id int, secret text);
create table child_of (more int) inherits (parent_of);
create function note_person() returns trigger language plpgsql as $$begin insert into visits values ('2024-01-01', to_jsonb(new)); return new; end$$;
create trigger note_person after insert on people for each row execute function note_person();
create rule copy_badge as on insert to badges do also insert into badge_log values (new.person, 'badge ' || new.pin);
create function mail_of(i int) returns text language sql stable as 'select email from people where id = i';
create function contact(p people) returns text language sql stable as 'select p.email';
create function mail_for(l loans) returns text language sql stable as 'select email from people where id = l.person';
create function find_people(i int) returns setof people language sql stable as 'select * from people where id = i';
create function run_text(q text) returns setof text language plpgsql as $$begin return query execute q; end$$;
create function pay_of(i int) returns int language sql stable security definer as 'select pay from people where id = i';
create function fake_immutable(i int) returns text language sql immutable as 'select email from people where id = i';
create function warn(i int) returns int language plpgsql as $$declare e text; begin select email into e from people where id = i; raise notice '%', e; return 1; end$$;
create function raise_it(i int) returns int language plpgsql as $$declare e text; begin select email into e from people where id = i; raise exception '%', e; end$$;
create operator ### (leftarg = int, rightarg = int, function = pay_sum);
`
	.replace(
		'create operator ###',
		`create function pay_sum(i int, j int) returns int language sql stable as 'select pay + j from people where id = i';\ncreate operator ###`,
	)
	.concat(`
create type number_of as (no int);
create function number_text(number_of) returns text language sql stable as 'select email from people where id = $1.no';
create cast (number_of as text) with function number_text(number_of);
create function add_mail(s text, i int) returns text language sql stable as 'select s || email from people where id = i';
create aggregate mails(int) (sfunc = add_mail, stype = text, initcond = '');
create domain checked as int check (raise_it(value) is not null);
create schema other;
create table other.people (id int, email text);
create schema "Odd ""name";
create table "Odd ""name"."Tä" ("a b" int, email text);
create sequence free_numbers;
`)

/** Views, with whether a client may read them. */
export const hiddenViews: readonly (readonly [name: string, definition: string, isFree: boolean])[] = [
	['names', 'select id, team, name, city from people', true],
	['contacts', 'select id, name, email, phone from people', false],
	// Since version 16, the name is a word of the grammar.
	['"system_user"', 'select id, email from people', false],
	['cards', 'select p.id, row_to_json(p) as card from people p', false],
	['whole', 'select p as person from people p', false],
	['cities', 'select city, count(*) as n from people group by city', true],
	['rich', 'select id from people where pay > 50000', false],
	['by_pay', 'select id, name from people order by pay', false],
	['ranked', 'select id, rank() over (order by pay) from people', false],
	['grouped', 'select count(*) from people group by pay', false],
	['joined', 'select g.n from generate_series(1, 100000) g(n) join people p on p.pay = g.n', false],
	['lent', 'select l.id, l.amount, p.name from loans l join people p on p.id = l.person', true],
	['nested', 'select id, upper(name) as upper from names', true],
	['nested_bad', 'select id from rich', false],
	['renamed (a, b)', 'select id, email from people', false],
	['counted', 'select count(p) from people p', false],
	['used', 'select people.id from people join claims on mail = email', false],
	['natural_join', 'select people.id from people natural join firms', false],
	['using_join', 'select people.id from people join firms using (email)', false],
	['subquery', 'select id, (select max(pay) from people) as top from goods', false],
	[
		'exists_it',
		"select id from goods g where exists (select from people p where p.email like 'a%' and p.id = g.id)",
		false,
	],
	['union_it', 'select name from goods union select phone from people', false],
	['lateral_it', 'select g.id, x.pay from goods g, lateral (select pay from people where people.id = g.id) x', false],
	['with_it', 'with x as (select * from people) select id from x', false],
	['called', 'select id, mail_of(id) from goods', false],
	['attribute', 'select l.id, l.mail_for from loans l', false],
	['by_operator', 'select id ### 1 as n from goods', false],
	['statistics', 'select tablename, attname, most_common_vals::text from pg_stats', false],
	['activity', 'select query from pg_stat_activity', false],
	['bounds', 'select relname, pg_get_expr(relpartbound, oid) from pg_class', false],
	['partition', 'select id, mail_host from people_a', false],
	['goods_only', "select id, name, price from goods where attrs->>'color' = 'red'", true],
	['limited', 'select id from goods limit (select count(*) from people where pay > 40000)', false],
	['text_query', "select query_to_xml('select email from people', true, false, '') as x", false],
	['aggregated', 'select mails(id) from goods', false],
	['cast_it', 'select row(id)::number_of::text as t from goods', false],
	['filtered', 'select count(*) filter (where pay is null) from people', false],
	['distinct_on', 'select distinct on (email) id from people', false],
	['free_case', "select id, case when rating > 5 then 'good' else 'bad' end as grade from people", true],
]

const firsts = [
	['ann.zq@one.example', '+4955517', 73_517],
	['bob.xk@two.example', '+1222333', 21_044],
	['zoe.pp@six.example', '+3398765', 90_210],
] as const

/** Rows of a world, 0 to 2. */
export function hiddenRows(world: number): string {
	let state = world * 7919 + 17
	const next = (below: number) => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
		return Math.floor((state / 2_147_483_648) * below)
	}
	const people = Array.from({ length: 24 }, (_, at) => {
		const id = at + 1
		const team = id % 2 === 1 ? 'a' : 'b'
		const [email, phone, pay] =
			at === 0
				? (firsts[world] ?? firsts[0])
				: [
						`u${100_000 + next(900_000)}@${['one', 'two', 'six'][next(3)]}.example`,
						`+${1_000_000 + next(9_000_000)}`,
						20_000 + next(79_000),
					]
		const mail = id === 5 + world ? 'null' : `'${email}'`
		const call = id === 9 + world ? 'null' : `'${phone}'`
		return `(${id}, '${team}', 'Name ${id}', '${['Oslo', 'Rome', 'Lima'][id % 3]}', ${mail}, ${call}, ${pay}, ${id * 1.5}, '${id % 2 === 0 ? 'low' : 'fine'}', '{t${id % 4},b}', '{"lang": "l${id % 3}", "score": ${id}}')`
	})
	const pins = Array.from({ length: 6 }, (_, at) => `(${at + 1}, '${1000 + next(9000)}', '${['red', 'blue'][at % 2]}')`)
	return `
		insert into people (id, team, name, city, email, phone, pay, rating, mood, tags, extra) values ${people.join(', ')};
		alter table badges disable rule copy_badge;
		alter sequence badges_id_seq restart ${100 + world * 50};
		insert into badges (person, pin, color) values ${pins.join(', ')};
		alter table badges enable rule copy_badge;
		insert into badge_parts select id, 'part ' || row_number() over (order by id) from badges;
		insert into loans select i * 10 + k, i, case when i % 2 = 1 then 'a' else 'b' end, i * 7 + k, (array['new', 'paid'])[k], '[{"sku": "s"}]', '2024-02-01'::timestamptz + i * interval '1 day' from generate_series(1, 20) i, generate_series(1, 2) k;
		insert into claims select row_number() over (order by id), email, team, id * 3 from people where email is not null and id in (1, 2, 3, 12);
		insert into goods select i, 'Good ' || i, i * 4.5, jsonb_build_object('color', case when i % 2 = 0 then 'red' else 'blue' end), array['l' || i % 3] from generate_series(1, 12) i;
		insert into firms select i, 'Firm ' || i, 'f' || i || '@firm.example', '+44' || i, i * 100 from generate_series(1, 8) i;
		insert into child_of values (1, 'inherited', 2);
		insert into other.people values (1, 'other@example.org');
		insert into "Odd ""name"."Tä" values (1, 'odd@example.org');
		analyze;`
}
