import {
	type Cell,
	type Change,
	type ChangeOutcome,
	type Column,
	DriverError,
	fromCell,
	type Json,
	parseJson,
	type Row,
	stringifyJson,
	toCell,
	type WholeRow,
} from '@roundhouse/kit'

export const columns: readonly Column[] = [
	{ name: 'id', type: 'text', kind: 'text', isKey: true, isReadOnly: 'after_insert', isSortable: false },
	{ name: 'balance', type: 'bigint', kind: 'number', isKey: false, isReadOnly: false, isSortable: false },
]

interface Account {
	readonly balance: Json
	readonly version: number
}

/** The only table of the ledger: accounts by the name that they were given. */
export class Accounts {
	readonly #accounts = new Map<string, Account>([
		['ada', { balance: parseJson('9223372036854775807'), version: 1 }],
		['bob', { balance: 12, version: 1 }],
	])

	get count(): number {
		return this.#accounts.size
	}

	/** The values of each account, in the order of the columns. */
	values(): readonly (readonly Json[])[] {
		return [...this.#accounts].map(([id, { balance }]) => [id, balance])
	}

	rows(): readonly Row[] {
		return [...this.#accounts].map(([id, { balance, version }]) => ({
			id,
			version: String(version),
			cells: [id, toCell(balance)],
		}))
	}

	/** @throws DriverError `not_found` */
	read(id: string): WholeRow {
		const account = this.#accounts.get(id)
		if (!account) throw new DriverError('not_found', `There is no account ${id}.`)
		const { balance, version } = account
		return { id, version: String(version), meta: { id, version }, raw: Buffer.from(stringifyJson({ id, balance })) }
	}

	apply(change: Change): ChangeOutcome {
		if (change.kind === 'insert') return this.#insert(change.values)
		const account = this.#accounts.get(change.rowId)
		if (!account) return { status: 'failed', message: `There is no account ${change.rowId}.` }
		if (change.version !== undefined && change.version !== String(account.version)) {
			return { status: 'conflict', message: `The account ${change.rowId} is another by now.` }
		}
		if (change.kind === 'update' && change.set.id !== undefined)
			return { status: 'failed', message: 'An account keeps its id.' }
		if (change.kind === 'delete') this.#accounts.delete(change.rowId)
		else {
			const balance = change.set.balance === undefined ? account.balance : jsonOf(change.set.balance)
			this.#accounts.set(change.rowId, { balance, version: account.version + 1 })
		}
		return { status: 'applied' }
	}

	#insert({ id = 'anonymous', balance = null }: Readonly<Record<string, Cell>>): ChangeOutcome {
		const name = String(jsonOf(id))
		if (this.#accounts.has(name)) return { status: 'failed', message: `There is an account ${name} already.` }
		this.#accounts.set(name, { balance: jsonOf(balance), version: 1 })
		return { status: 'applied' }
	}
}

const jsonOf = (cell: Cell): Json => fromCell(cell) ?? null
