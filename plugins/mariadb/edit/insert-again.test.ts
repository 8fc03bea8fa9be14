import { decode } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { call, connectedForFile, everything, pageOf } from '../test/connection.ts'

const schema = `
	create table plain (id int primary key, j json, k json, twice int generated always as (id * 2) stored);
	create table numbered (id int auto_increment primary key);
	create table keyless (a int);
	create table parents (id int primary key);
	create table children (id int primary key, parent int, foreign key (parent) references parents (id) on delete cascade);
	create table watched (id int primary key);
	create trigger watch before insert on watched for each row set new.id = new.id;
	insert into plain (id, j, k) values (1, 'null', null); insert into numbered values (7); insert into keyless values (1);
	insert into parents values (1); insert into children values (1, 1); insert into watched values (1)`

const { connection } = await connectedForFile({ schema })

test.skipIf(!hasServer)(
	'a row says what makes it again after a deletion, unless another row would result, or others would be missing',
	async () => {
		const read = async (table: string) => {
			const [row] = (await pageOf(connection, everything(`shop.${table}`))).rows
			return decode(await connection.readRow(`shop.${table}`, row?.id ?? '', call()))
		}
		expect(await read('plain')).toMatchObject({
			insertAgain: { twice: { missing: true }, j: { json: 'null' } },
			jsonNulls: ['j'],
		})
		for (const table of ['numbered', 'children']) expect((await read(table)).insertAgain).toEqual({})
		for (const table of ['keyless', 'parents', 'watched']) expect((await read(table)).insertAgain).toBeUndefined()
	},
)
