/** Tables for tests and for the conformance kit: a shop with every kind of column, and tables that are hard to read. */
export const shop = `
create table customers (
	id bigint unsigned not null auto_increment primary key comment 'The number on the card.',
	name varchar(200) not null,
	note text,
	email varchar(200) unique,
	photo blob,
	balance decimal(12, 2) not null default 0,
	points bigint not null default 0,
	most bigint unsigned,
	ratio float,
	measure double,
	is_active boolean not null default true,
	flags bit(8),
	born date,
	seen datetime(6),
	changed timestamp(3) null default null,
	wait time(3),
	made year,
	state enum('new', 'paid', 'sent') not null default 'new',
	tags set('a', 'b', 'c'),
	data json,
	place point,
	code binary(4),
	full_name varchar(250) generated always as (concat(name, ' (', points, ')')) stored
) comment 'People who buy.';
create table orders (
	id int not null auto_increment primary key,
	customer bigint unsigned not null,
	state enum('new', 'paid', 'sent') not null default 'new',
	total decimal(20, 4) not null,
	placed datetime not null default current_timestamp,
	index (customer),
	foreign key (customer) references customers (id)
);
create table order_lines (
	order_id int, line int, what varchar(100), primary key (order_id, line),
	foreign key (order_id) references orders (id) on delete cascade
);
create table logs (at timestamp(6) null, what varchar(100));
create table old_notes (id int not null primary key, note text) engine = myisam;
create view totals as select customer, sum(total) as total from orders group by customer;
insert into customers (name, note, email, points, born)
	select concat('Customer ', seq), case when seq % 3 = 0 then null when seq % 5 = 0 then '' else concat('note ', seq) end,
	concat('c', seq, '@example.com'), seq * 1000000007, date('2000-01-01') + interval seq day from seq_1_to_60;
insert into orders (customer, state, total) select 1 + seq % 60, elt(1 + seq % 3, 'new', 'paid', 'sent'), seq * 1.10 from seq_1_to_300;
insert into order_lines select seq, 1, concat('thing ', seq) from seq_1_to_50;
insert into logs select timestamp('2024-01-01 00:00:00') + interval seq minute, concat('line ', seq % 7) from seq_1_to_40;
insert into old_notes values (1, 'a'), (2, 'b');
`
