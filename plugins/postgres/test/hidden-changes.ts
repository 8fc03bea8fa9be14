/** Tables whose hidden values could decide whether a change succeeds, and changes that try that. */

export const changeMarks = [
	{ table: 'public.members', columns: ['email', 'pay'] },
	{ table: 'public.long', columns: ['email'] },
	{ table: 'public.logins', columns: ['login'] },
	{ table: 'public.seats', columns: ['holder'] },
	{ table: 'public.bosses', columns: ['mail'] },
	{ table: 'public.timed', columns: ['until'] },
	{ table: 'public.unsure', columns: ['pay'] },
	{ table: 'public.areas', columns: ['pay'] },
	{ table: 'public.rated', columns: ['pay'] },
	{ table: 'public.numbered', columns: ['number'] },
	{ table: 'public.partial', columns: ['pay'] },
	{ table: 'public.loose', columns: ['secret'] },
	{ table: 'public.watched', columns: ['pay'] },
]

export const changeSchema = `
create table members (
	id int primary key, name text, city text default 'Oslo', email text, pay int check (pay > 0), low int default 0, note text,
	rating int default 1 check (rating > 0), unique (name), check (low < pay)
);
create index on members (note, email);
create table long (id int primary key, note text, email text);
create index on long (note, email);
create index on members (pay) include (id);
create table logins (id int primary key, name text, login text default 'guest' unique);
create table seats (id int primary key, room text, color text, holder text, unique (room, holder));
create table bosses (id int primary key, name text, mail text unique, boss text references bosses (mail));
create table timed (id int primary key, name text, until timestamptz, check (until > now()));
create table unsure (id int primary key, name text, pay int);
create table areas (id int, region text, name text, pay int, primary key (id, region)) partition by list (region);
create table areas_a partition of areas for values in ('a');
create table areas_b partition of areas (check (pay < 50000)) for values in ('b');
create table rated (id int primary key, name text, units int, pay int, share int generated always as (units / (pay - 50)) stored);
create table numbered (id int primary key, name text, number serial, check (number < 125));
create table partial (id int primary key, name text, pay int);
create unique index on partial (name) where pay > 50000;
create table loose (name text, color text, secret text);
create table kinds (id int primary key, name text);
create table rich (kind int references kinds);
create table rich_named (id int primary key, name text);
create table about_rich (id int primary key, rich int references rich_named);
create table watched (id int primary key, pay int);
create function note_rich() returns trigger language plpgsql as
	$$begin if new.pay > 50000 then insert into rich values (new.id); insert into rich_named values (new.id, 'x'); end if; return new; end$$;
create trigger note_rich after insert on watched for each row execute function note_rich();
create table plain (id int primary key, name text, amount int);
create table children (id int primary key, member int references members on delete cascade);
create table paid_children (id int primary key, member int references members, boss text references bosses (mail));
create function mail_of(i int) returns text language sql stable as 'select email from members where id = i';
create function contact(m members) returns text language sql immutable as 'select m.email';
create view names as select id, name, city from members;
create view rich_names as select id, name from members where pay > 50000;
`

/** Rows of a world, 0 to 2. */
export const changeRows = (world: number) => `
insert into members select i, 'Name ' || i, (array['Oslo', 'Rome'])[1 + i % 2], 'u' || (100 + i * ${[31, 57, 83][world]} % 97) || '@example.org', 10000 + (i * ${[7919, 15_013, 3571][world]}) % 80000, i, 'note' from generate_series(1, 20) i;
insert into long select 1, 'note', string_agg(md5(i::text), '') from generate_series(1, ${[12, 36, 72][world]}) i;
insert into logins values (1, 'one', '${['ann', 'bob', 'zoe'][world]}'), (2, 'two', '${['guest', 'bob2', 'x'][world]}');
insert into seats values (1, 'r1', 'red', '${['ann', 'bob', 'ann'][world]}'), (2, 'r2', 'red', 'ann'), (3, 'r3', 'blue', 'bob');
insert into bosses values (1, 'one', 'a', null), (2, 'two', 'b', '${['a', 'b', 'a'][world]}'), (3, 'three', 'c', '${['b', 'a', 'c'][world]}');
insert into timed values (1, 'one', now() + interval '${['1 hour', '2 seconds', '1 day'][world]}');
alter table timed disable trigger all;
insert into unsure select i, 'Name ' || i, (i * ${[7919, 15_013, 3571][world]}) % 80000 from generate_series(1, 9) i;
alter table unsure add check (pay < 40000) not valid;
insert into areas select i, 'a', 'Name ' || i, (i * ${[17_919, 25_013, 33_571][world]}) % 90000 from generate_series(1, 9) i;
insert into rated (id, name, units, pay) select i, 'Name ' || i, null, case when i % 3 = ${world} then 50 else 60 end from generate_series(1, 6) i;
insert into numbered (id, name) select i, 'Name ' || i from generate_series(1, 3) i;
alter sequence numbered_number_seq restart ${[10, 123, 200][world]};
insert into partial values (1, 'a', ${[1, 60_000, 1][world]}), (2, 'b', ${[60_000, 1, 60_000][world]});
insert into loose select 'n' || i, 'red', md5((i * ${[3, 5, 7][world]})::text) from generate_series(1, 5) i;
insert into kinds select i, 'Kind ' || i from generate_series(1, 9) i;
insert into watched select i, (i * ${[17_919, 25_013, 33_571][world]}) % 90000 from generate_series(1, 9) i;
insert into plain select i, 'Plain ' || i, i from generate_series(1, 20) i;
insert into children select i, i from generate_series(1, 3) i;
insert into paid_children values (1, 9, '${['a', 'b', 'c'][world]}');
analyze;`

/** Changes that would tell one hidden value from another, or write it where it can be read. */
export const attacksByChange: readonly string[] = [
	// Copies into a free column.
	'update members set city = email',
	'update members set city = members.email',
	'update public.members m set city = m.email where id = 1',
	'update members set city = members::text',
	'update members m set city = m::text',
	'update members m set city = (m).email',
	'update members m set city = (m.*)::text',
	'update members m set city = row_to_json(m)->>$$email$$',
	'update members m set city = to_jsonb(m)::text',
	'update members m set rating = abs(m.hash_record) + 1',
	'update members m set city = m.contact',
	'update members m set city = contact(m)',
	'update members set city = mail_of(id)',
	'update members m set city = (select m.email)',
	'update members m set city = (select n.email from members n where n.id = m.id)',
	'update members m set city = x.c from (select id, email as c from members) x where x.id = m.id',
	'update members m set city = n.email from members n where n.id = m.id',
	'update members m set city = n::text from members n where n.id = m.id',
	'update members m set (city, note) = (select email, pay::text from members n where n.id = m.id)',
	'update members set city = (select string_agg(email, $$,$$) from members)',
	'update members m set rating = pg_column_size(m)',
	'update members m set rating = pg_column_size(m.email)',
	'update members m set rating = m.pg_column_size',
	'update members set name = name where ctid = $$(0,1)$$',
	'update members m set city = m.ctid::text',
	'update members m set city = m.xmin::text',
	'update members set low = pay',
	'update members set low = low + 1 where pay > 50000',
	'update members set city = $$x$$ where email like $$u3%$$',
	'update members set city = $$x$$ where "email" is not null',
	'update members m set city = $$x$$ where m is not null',
	'update members m set city = $$x$$ where row(m.*) is not null',
	'update members set email = $$x$$',
	'update members set email = default',
	'update members set (city, email) = ($$x$$, $$y$$)',
	'update members set pay = pay + 1 where id = 1',
	'update only members set city = email',
	'update members as email set city = email::text',
	'update members as "excluded" set city = "excluded".email',
	'update members m set city = $$x$$ from rich_names r where r.id = m.id',
	'update plain set name = email from members where members.id = plain.id',
	'update plain set name = m::text from members m where m.id = plain.id',
	'update plain p set name = (select email from members m where m.id = p.id)',
	'update plain set name = x from (select (m.*)::text as x, id from members m) m where m.id = plain.id',
	'update plain set name = mail_of(id)',
	'update plain set amount = (select max(pay) from members)',
	'update plain set amount = 1 where exists (select from members where pay > 50000 and members.id = plain.id)',
	'update plain p set name = m.name from (select name from members limit 1) m',
	'update plain p set name = m.name from members m where true',
	'insert into plain (id, name) select 100 + id, email from members',
	'insert into plain (id, name) select 200 + id, m::text from members m',
	'insert into plain select * from members',
	'insert into plain (id, amount) select 300 + row_number() over (order by pay), id from members',
	'insert into plain (id, name) values (400, (select email from members limit 1))',
	'insert into plain (id, name) values (401, mail_of(1)) returning name',
	'insert into plain (id, amount) select 500 + id, id from members order by pay limit 1',
	'insert into plain (id) values (1) on conflict (id) do update set name = (select email from members where id = 1)',
	'with x as (select * from members) insert into plain (id, name) select 600 + id, email from x',
	'with x as (delete from members where pay > 50000 returning id) select count(*) from x',
	'with x as (update members set city = email returning city) select * from x',
	'with x as (update plain set name = name returning id) update members set city = email',
	'with members as (select 1 as id) update members set city = email',
	'with members as (select 1 as id) delete from members where pay > 50000',
	'delete from members where pay > 50000',
	'delete from members m where m.email like $$u1%$$',
	'delete from members m using members n where n.id = m.id and n.pay > 50000',
	'delete from members where members::text like $$%u1%$$',
	'delete from plain using members m where m.id = plain.id and m.pay > 50000',
	'delete from plain where id in (select id from rich_names)',
	'delete from plain where id in (select id from members where pay > 40000)',
	'delete from plain where amount > (select avg(pay) from members)',
	// What a change returns.
	'update members set city = $$y$$ where id = 1 returning *',
	'update members set city = $$y$$ where id = 1 returning email',
	'update members m set city = $$y$$ where id = 1 returning m',
	'update members m set city = $$y$$ where id = 1 returning m.*, 1',
	'update members set city = $$y$$ where id = 1 returning members.pay',
	'update members set city = $$y$$ where id = 1 returning old.pay',
	'update members set city = $$y$$ where id = 1 returning new',
	'update members set city = $$y$$ where id = 1 returning old.*',
	'update members set city = $$y$$ where id = 1 returning with (old as o) o.pay',
	'update members set city = $$y$$ where id = 1 returning with (old as o) o',
	'update members set city = $$y$$ where id < 20 returning ctid',
	'update members m set city = $$y$$ where id < 20 returning m.tableoid, m.xmin',
	'update members set city = $$y$$ where id = 1 returning (select email from members n where n.id = members.id)',
	'insert into members (id, name) values (101, $$new$$) returning *',
	'insert into members (id, name) values (102, $$new2$$) returning email, pay',
	'delete from members where id = 15 returning *',
	'delete from members where id = 15 returning to_json(members)',
	'delete from members m where id = 15 returning m.email',
	// The order of rows.
	'delete from members where id > 16 returning id',
	'update members set city = $$z$$ returning id',
	'update plain set amount = m.id from members m returning plain.id, amount',
	// Whether it succeeds.
	'update members set low = 30000',
	'update members set low = 60000 where id = 1',
	'update members set note = repeat(md5(name), 70)',
	'update long set note = (select string_agg(md5(i::text), $$$$) from generate_series(1, 60) i) where id = 1',
	'insert into members values (103, $$x$$, $$y$$, $$u1@example.org$$, 1)',
	'insert into members (id, name, email) values (104, $$x$$, $$u1@example.org$$)',
	'insert into members (id, email) values (1, $$x$$) on conflict (id) do update set city = members.email',
	'insert into members (id) values (1) on conflict (id) do update set city = members.email',
	'insert into members (id) values (1) on conflict (id) do update set city = excluded.email',
	'insert into members (id) values (1) on conflict (id) do update set city = excluded::text',
	'insert into members (id) values (1) on conflict (id) do update set city = $$x$$ where members.pay > 50000',
	'insert into members (id) values (1) on conflict (id) do update set low = 50000',
	'insert into members (id) values (1) on conflict (email) do nothing',
	'insert into logins (id, name) values (3, $$three$$)',
	'insert into logins (id, name) values (4, $$four$$) on conflict do nothing',
	'insert into logins (id, name, login) values (5, $$five$$, $$ann$$)',
	'insert into logins default values',
	'insert into seats (id, room, holder) values (4, $$r1$$, $$ann$$)',
	'insert into seats (id, room) values (4, $$r1$$)',
	'update seats set room = $$r1$$ where id = 2',
	'update seats set room = $$r3$$ where id = 1',
	'delete from bosses where id = 1',
	'delete from bosses where id = 2',
	'delete from bosses where id = 3',
	'insert into bosses (id, name) values (4, $$four$$)',
	'insert into bosses (id, boss) values (5, $$a$$)',
	'update bosses set boss = $$a$$ where id = 3',
	'update timed set name = $$x$$',
	'update unsure set name = $$x$$ where id = 1',
	'update unsure set name = $$x$$',
	'update areas set region = $$b$$ where id = 1',
	'update areas set region = $$b$$ where id = 4',
	'update areas_a set region = $$b$$',
	'insert into areas (id, region, pay) values (20, $$b$$, 60000)',
	'update rated set units = 100 where id = 3',
	'update rated set units = 100',
	'insert into rated (id, units, pay) values (10, 1, 50)',
	'insert into numbered (id, name) values (10, $$x$$)',
	'insert into numbered (id, name) values (11, $$x$$), (12, $$y$$), (13, $$z$$)',
	'select currval($$numbered_number_seq$$)',
	'select lastval()',
	'insert into partial (id, name) values (3, $$a$$)',
	'update partial set name = $$b$$ where id = 1',
	'update partial set name = $$a$$ where id = 2',
	'delete from kinds where id = 1',
	'delete from kinds where id = 2',
	'delete from kinds where id = 3',
	'update kinds set id = 50 where id = 3',
	'insert into about_rich values (1, 1)',
	'insert into about_rich values (2, 2)',
	'insert into about_rich select id, id from plain where id < 5 on conflict do nothing',
	'insert into rich values (1)',
	'insert into rich_named values (1, $$y$$)',
	'update rich_named set name = $$z$$',
	'insert into watched (id) values (50)',
	'update loose set color = secret',
	'update loose set color = $$x$$ where loose::text like $$%a%$$',
	'update loose set color = $$y$$ returning loose',
	'update loose set color = $$y$$',
	// Other ways to change rows.
	'merge into members m using plain p on p.id = m.id when matched and m.pay > 50000 then update set city = m.email',
	'merge into plain p using members m on p.id = m.id when matched and m.pay > 50000 then delete',
	'truncate members',
	'copy members (id, name) from program $$echo 1$$',
	'update rich_names set name = $$x$$',
	'update names set name = $$x$$ where id = 1',
	'insert into names (id, name) values (300, $$x$$)',
	'select * from members for update',
	'explain update members set city = $$x$$ where id = 1',
	'explain analyze delete from members where id = 12',
	'explain insert into plain (id, name) select 700 + id, name from members',
	'do $$begin update members set city = email; end$$',
	'prepare p as update members set city = email',
	'create rule r as on update to plain do also select email from members',
	'create trigger t after update on plain for each row execute function note_rich()',
	'alter table members add unique (email)',
	'alter table members alter city set default (1)',
	'select city, note, low, rating from members order by id',
	'select * from plain order by id',
	'select * from loose order by name',
	'select n_tup_ins, n_tup_upd, n_tup_del from pg_stat_user_tables where relname = $$plain$$',
]

/** Changes that a client makes in earnest. Each changes rows. */
export const harmlessChanges: readonly string[] = [
	'update members set city = $$Lima$$ where id = 3',
	'update members set city = upper(city), rating = rating + 1 where name like $$Name 1%$$',
	'update members m set rating = m.rating + 1 where m.id in (4, 5) returning m.id, rating',
	'update public.members set city = city || $$!$$ where members.id = 6 returning members.id, city',
	'update members set name = $$Eight$$ where id = 8',
	'update members set city = p.name from plain p where p.id = members.id and p.amount < 4',
	'update members m set city = (select max(name) from plain p where p.id = m.id) where id = 10',
	'update members set city = n.name from members n where n.id = members.id + 1 and members.id = 11',
	'update members set (city, rating) = ($$Pisa$$, 3) where id = 12',
	'insert into members (id, name, city) values (201, $$Ann$$, $$Oslo$$) returning id, name',
	'insert into members (id, name) select 210 + id, $$copy $$ || name from members where id < 3',
	'insert into members (id, name) values (201, $$Ann2$$) on conflict (id) do update set city = excluded.city, rating = 5',
	'insert into members (id, name) values (201, $$Ann3$$), (202, $$Bob$$) on conflict do nothing',
	'update logins set name = $$first$$ where id = 1',
	'update seats set color = $$green$$ where room = $$r1$$',
	'update areas set name = $$x$$ where region = $$a$$ and id = 2',
	'insert into areas (id, region, name) values (30, $$a$$, $$new$$)',
	'update rated set name = $$x$$ where id = 2',
	'update numbered set name = $$x$$ where id = 2',
	'insert into loose (name, color) values ($$n9$$, $$blue$$)',
	'delete from loose where name = $$n9$$',
	'delete from seats where id = 3',
	'insert into plain (id, name) values (900, $$x$$), (901, $$y$$) returning *',
	'update plain set amount = amount + 1 where id < 5',
	'update plain set name = m.name from members m where m.id = plain.id and m.rating > 0',
	'insert into plain (id, name) select 910 + id, name from names where id < 3',
	'delete from plain where id in (select id + 899 from members where id = 1)',
	'with x as (select id, name from members where id = 2) update plain set name = x.name from x where x.id = plain.id',
]
