import { type Cell, type Change, decode, type GridQuery, type JsonObject, parseJson, rawText } from '@roundhouse/kit'
import type { Refusal } from './answer.ts'
import { Difference, requireSame } from './difference.ts'
import { call, numbersOf, RandomTable, type ReadRow } from './random-table.ts'

/** A row as another client reads it: texts of the server. */
export type Texts = readonly (string | null)[]

export interface RelationalColumn {
	readonly name: string
	readonly type: { readonly values: readonly string[]; readonly probes?: readonly string[] }
	/** An expression, if the server computes the column. */
	readonly computed?: string | undefined
}

/** A value as a cell, and as the other client writes it. */
export interface NewValue {
	readonly name: string
	readonly cell: Cell
	readonly sql: string
}

export const cellsIn = (values: readonly NewValue[]) => Object.fromEntries(values.map(({ name, cell }) => [name, cell]))

/** A table of a relational engine, which another client asks in SQL. */
export abstract class RelationalTable<Column extends RelationalColumn> extends RandomTable {
	/** All rows by their number. */
	protected rows: ReadonlyMap<string, Texts> | undefined
	/** The operators that the driver offers, by column. */
	#offered: ReadonlyMap<string, readonly string[]> | undefined

	protected abstract readonly columns: readonly Column[]
	protected abstract readonly isView: boolean
	protected abstract sql(text: string): Promise<readonly Texts[]>
	/** All rows, with what a cell shows of each column. */
	protected abstract printed(): Promise<readonly Texts[]>
	protected abstract isSortable(column: Column): boolean
	protected abstract newValue(column: Column): NewValue
	/** An error of the server is a refusal of the model. */
	protected abstract refusalOf(error: unknown): Refusal

	protected get filtered() {
		return this.columns.map(({ name, type: { values, probes = [] } }) => ({ name, values, probes }))
	}

	/** Returns the operators that the driver offers, by column. @throws Difference if it describes other columns */
	protected async described(): Promise<ReadonlyMap<string, readonly string[]>> {
		if (this.#offered) return this.#offered
		const { columns } = await this.connection.describeTable(this.name, call)
		requireSame(
			'columns',
			columns.map(({ name, isSortable }) => [name, isSortable]),
			this.columns.map(column => [column.name, this.isSortable(column)]),
		)
		this.#offered = new Map(columns.map(({ name, filterFields }) => [name, filterFields?.[0]?.operators ?? []]))
		return this.#offered
	}

	protected typeOf(name: string): Column['type'] {
		const column = this.columns.find(column => column.name === name)
		if (!column) throw new Error(`no column ${name}`)
		return column.type
	}

	protected async stored(): Promise<ReadonlyMap<string, Texts>> {
		const at = this.columns.findIndex(({ name }) => name === this.numberColumn)
		this.rows ??= new Map((await this.printed()).map(row => [row[at] ?? '', row]))
		return this.rows
	}

	/** The columns of a row with their texts. */
	protected async textsOf(number: string): Promise<readonly (readonly [Column, string | null])[]> {
		const texts = (await this.stored()).get(number)
		if (!texts) throw new Difference('row', number, [...(await this.stored()).keys()])
		return this.columns.map((column, at) => [column, texts[at] ?? null])
	}

	protected numberIn(document: JsonObject): string {
		return String(document[this.numberColumn])
	}

	/** Asks for one page in the middle, and for pages while others write. */
	protected override async afterRows(query: GridQuery, limit: number, rows: readonly ReadRow[]): Promise<void> {
		if (this.isView || rows.length < 2) return
		const offset = this.random.int(0, rows.length)
		const jumped = await this.read(query, { limit, by: 'grid', offset, pages: 1 })
		requireSame(`rows from ${offset}`, numbersOf(jumped.rows), numbersOf(rows.slice(offset, offset + limit)))
		if (this.random.chance(0.3)) await this.#readWhileOthersWrite(query, limit, numbersOf(rows))
	}

	/** A row that stays is read once, whatever others delete and insert before it. */
	async #readWhileOthersWrite(query: GridQuery, limit: number, before: readonly string[]): Promise<void> {
		const gone = new Set<string | undefined>()
		const by = this.random.pick(['grid', 'borders'] as const)
		let isByOffset = false
		const between = async (shown: readonly ReadRow[]) => {
			// A long text has no position.
			isByOffset ||= by === 'borders' && shown.at(-1)?.position === undefined
			gone.add(await this.deleteAndInsert?.(this.random.chance(0.6) ? numbersOf(shown) : before))
		}
		const read = await this.read(query, { limit, by, between })
		if (isByOffset) return
		const stayed = before.filter(number => !gone.has(number))
		const known = new Set(stayed)
		requireSame(
			`rows that stay, by ${by}, without ${[...gone]}`,
			numbersOf(read.rows)
				.filter(number => known.has(number))
				.toSorted(),
			stayed.toSorted(),
		)
	}

	protected async askWholeRow(): Promise<void> {
		const rows = await this.readAll()
		if (rows.length === 0) return
		const { id } = this.random.pick(rows)
		this.asked = id
		await this.requireRow(id)
	}

	protected async requireRow(id: string): Promise<JsonObject> {
		// The document of a row is an object.
		const document = parseJson(rawText(decode(await this.connection.readRow(this.name, id, call)))) as JsonObject
		await this.requireDocument(document)
		return document
	}

	/** Runs the statements of an export in place of the rows. */
	protected async askStatements(): Promise<void> {
		if (!this.isView) await this.askExport('sql')
	}

	protected newValues(columns: readonly Column[], count: number, isNumbered: boolean): readonly NewValue[] {
		const others = columns.filter(({ name }) => name !== this.numberColumn)
		const values = this.random.some(others, count, count).map(column => this.newValue(column))
		if (!isNumbered && values.length > 0) return values
		const number = this.next++
		return [...values, { name: this.numberColumn, cell: number, sql: String(number) }]
	}

	async someChanges(near: readonly string[] = []): Promise<readonly Change[]> {
		if (this.isView) return []
		const { random } = this
		const columns = this.columns.filter(({ computed }) => computed === undefined)
		const changes = (await this.rowsNear(near)).map(({ id, version }): Change => {
			const identified = { rowId: id, ...(version !== undefined && random.chance(0.7) && { version }) }
			if (random.chance(0.3)) return { kind: 'delete', ...identified }
			return { kind: 'update', ...identified, set: cellsIn(this.newValues(columns, random.int(1, 3), false)) }
		})
		if (changes.length > 0 && random.chance(0.7)) return changes
		return [...changes, { kind: 'insert', values: cellsIn(this.newValues(columns, random.int(0, 4), true)) }]
	}

	protected async stateAfter(statements: readonly string[]): Promise<readonly string[] | Refusal> {
		await this.sql('begin')
		try {
			for (const statement of statements) await this.sql(statement)
			return await this.state()
		} catch (error) {
			return this.refusalOf(error)
		} finally {
			await this.sql('rollback')
		}
	}
}
