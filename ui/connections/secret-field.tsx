import { createUniqueId, For, type JSX, Match, Switch } from 'solid-js'
import type { ConnectionView, FormField, SettingValue } from '../../host/api/api.ts'
import { FormFieldView } from './form-field.tsx'

export type SecretSource = ConnectionView['secretSources'][string]

/** A choice of the list: a kind of source, or a file. */
type Choice = 'stored' | 'command' | 'environment' | NonNullable<FormField['passwordFiles']>[number]

const choiceWords: Readonly<Record<Choice, string>> = {
	stored: 'Typed here',
	command: 'From a command',
	environment: 'From a variable',
	pgpass: 'From ~/.pgpass',
	'pg_service.conf': 'From ~/.pg_service.conf',
	'my.cnf': 'From ~/.my.cnf',
}

const emptySource: Readonly<Record<Exclude<Choice, 'stored'>, SecretSource>> = {
	command: { from: 'command', command: '', keptMinutes: 10 },
	environment: { from: 'environment', name: '' },
	pgpass: { from: 'file', format: 'pgpass' },
	'pg_service.conf': { from: 'file', format: 'pg_service.conf' },
	'my.cnf': { from: 'file', format: 'my.cnf' },
}

/** Returns what is wrong with a source, for the user, or `undefined`. */
export function faultOfSource(source: SecretSource): string | undefined {
	if (source.from === 'command' && source.command.trim() === '') return 'Enter the command.'
	if (source.from === 'command' && !(source.keptMinutes >= 0 && source.keptMinutes <= 10_080))
		return 'Its output is kept for 0 to 10,080 minutes.'
	if (source.from === 'environment' && !/^[A-Za-z_]\w*$/.test(source.name))
		return 'Enter the name of a variable: letters, digits and _.'
	return undefined
}

/** A secret of the form: typed and stored, or read from elsewhere at each use. */
export function SecretField(props: {
	readonly field: FormField
	readonly value: SettingValue
	readonly source: SecretSource | undefined
	readonly fault?: string | undefined
	onChange(value: SettingValue): void
	onSource(source: SecretSource | undefined): void
}): JSX.Element {
	const id = createUniqueId()
	const choice = (): Choice => {
		const { source } = props
		if (!source) return 'stored'
		return source.from === 'file' ? source.format : source.from
	}
	const command = () => (props.source?.from === 'command' ? props.source : undefined)
	const variable = () => (props.source?.from === 'environment' ? props.source : undefined)
	const From = () => (
		<select
			aria-label={`Where ${props.field.label} comes from`}
			value={choice()}
			onChange={event => {
				const chosen = event.currentTarget.value as Choice
				props.onSource(chosen === 'stored' ? undefined : emptySource[chosen])
			}}
		>
			<For each={['stored', 'command', 'environment', ...(props.field.passwordFiles ?? [])] as const}>
				{one => <option value={one}>{choiceWords[one]}</option>}
			</For>
		</select>
	)
	/** A field in place of the secret, with what is said about it. */
	const Sourced = (sourced: { readonly help: string; readonly children: JSX.Element }) => (
		<div class="field">
			<label for={id}>{props.field.label}</label>
			<div class="field-input">
				{sourced.children}
				<From />
			</div>
			<p id={`${id}-help`} class="field-help" classList={{ fault: props.fault !== undefined }}>
				{props.fault ?? sourced.help}
			</p>
		</div>
	)
	const input = { id, autocomplete: 'off', spellcheck: false, 'aria-describedby': `${id}-help` } as const
	return (
		<Switch>
			<Match when={choice() === 'stored'}>
				<FormFieldView
					field={props.field}
					value={props.value}
					fault={props.fault}
					onChange={props.onChange}
					aside={<From />}
				/>
			</Match>
			<Match when={command()}>
				{source => (
					<>
						<Sourced help="The first line that this program prints, without a shell. It is not stored. It runs on this machine alone, and only as you wrote it.">
							<input
								{...input}
								placeholder="op read op://vault/database/password"
								value={source().command}
								aria-invalid={props.fault !== undefined}
								onInput={event => props.onSource({ ...source(), command: event.currentTarget.value })}
							/>
						</Sourced>
						<div class="field">
							<label for={`${id}-kept`}>Minutes until it runs again</label>
							<input
								id={`${id}-kept`}
								inputmode="numeric"
								autocomplete="off"
								value={Number.isNaN(source().keptMinutes) ? '' : source().keptMinutes}
								onInput={event => {
									const text = event.currentTarget.value
									props.onSource({ ...source(), keptMinutes: /^\d+$/.test(text) ? Number(text) : Number.NaN })
								}}
							/>
						</div>
					</>
				)}
			</Match>
			<Match when={variable()}>
				{source => (
					<Sourced help="A variable of the environment in which Roundhouse was started.">
						<input
							{...input}
							placeholder="DATABASE_PASSWORD"
							value={source().name}
							aria-invalid={props.fault !== undefined}
							onInput={event => props.onSource({ from: 'environment', name: event.currentTarget.value.trim() })}
						/>
					</Sourced>
				)}
			</Match>
			<Match when={true}>
				<Sourced help="The line that fits the address, the database and the user is read at each use.">
					<input {...input} readonly value={choiceWords[choice()]} />
				</Sourced>
			</Match>
		</Switch>
	)
}
