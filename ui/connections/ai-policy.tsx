import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { toolGroups, toolGroupWords } from '../words/tool-groups.ts'
import { FormFieldView } from './form-field.tsx'

export type AiPolicy = Pick<
	ConnectionView,
	'externalAccess' | 'aiPolicy' | 'hiddenToolGroups' | 'triesWrites' | 'mostChangedRows'
>

export const defaultPolicy: AiPolicy = {
	externalAccess: 'read-only',
	aiPolicy: 'ask',
	hiddenToolGroups: [],
	triesWrites: true,
	mostChangedRows: 100,
}

const plain = { section: '', required: false }
const select = { ...plain, type: 'select' as const }

export const mostChangedRowsKey = '_mostChangedRows'

/** The access of AI clients to the connection. */
export function AiPolicyFields(props: {
	/** A number that cannot be read is `NaN`. */
	readonly policy: AiPolicy
	readonly faults: Readonly<Record<string, string>>
	onChange(policy: AiPolicy): void
}): JSX.Element {
	const id = createUniqueId()
	const hidden = () => props.policy.hiddenToolGroups
	return (
		<fieldset class="section">
			<legend>AI access</legend>
			<p class="field-note quiet">
				The AI policy decides which AI clients may use this connection. External access is the most that any of them may
				do here. A call needs both.
			</p>
			<FormFieldView
				field={{
					...select,
					key: '_aiPolicy',
					label: 'AI policy',
					options: [
						{ value: 'ask', label: 'Ask at first use of each client' },
						{ value: 'allow', label: 'Allow every client' },
						{ value: 'never', label: 'Never, no client' },
					],
				}}
				value={props.policy.aiPolicy}
				onChange={value => props.onChange({ ...props.policy, aiPolicy: value as AiPolicy['aiPolicy'] })}
			/>
			<FormFieldView
				field={{
					...select,
					key: '_externalAccess',
					label: 'External access',
					options: [
						{ value: 'blocked', label: 'Blocked, neither read nor write' },
						{ value: 'read-only', label: 'Read only' },
						{ value: 'read-write', label: 'Read and write, you are asked before each write' },
					],
				}}
				value={props.policy.externalAccess}
				onChange={value => props.onChange({ ...props.policy, externalAccess: value as AiPolicy['externalAccess'] })}
			/>
			<Show when={props.policy.externalAccess === 'read-write'}>
				<FormFieldView
					field={{
						...plain,
						type: 'switch',
						key: '_triesWrites',
						label: 'Try writes before asking',
						help: 'The question shows what the write did before it was rolled back. If off, or if it cannot be tried, a write counts as destructive.',
					}}
					value={props.policy.triesWrites}
					onChange={value => props.onChange({ ...props.policy, triesWrites: value === true })}
				/>
				<FormFieldView
					field={{
						...plain,
						type: 'number',
						key: mostChangedRowsKey,
						label: 'Changed rows before a write is destructive',
						help: 'A write that changes more rows, or deletes any, needs the scope for destructive tools.',
					}}
					value={Number.isNaN(props.policy.mostChangedRows) ? '' : props.policy.mostChangedRows}
					fault={props.faults[mostChangedRowsKey]}
					onChange={text => {
						const mostChangedRows = /^\d{1,9}$/.test(String(text)) ? Number(text) : Number.NaN
						props.onChange({ ...props.policy, mostChangedRows })
					}}
				/>
			</Show>
			<div class="field">
				<span id={`${id}-groups`}>Tools</span>
				<fieldset class="tool-groups" aria-labelledby={`${id}-groups`} aria-describedby={`${id}-help`}>
					<For each={toolGroups}>
						{group => (
							<label class="option">
								<input
									type="checkbox"
									checked={!hidden().includes(group)}
									onChange={({ currentTarget: { checked } }) => {
										const others = hidden().filter(other => other !== group)
										props.onChange({ ...props.policy, hiddenToolGroups: checked ? others : [...others, group] })
									}}
								/>
								{toolGroupWords[group]}
							</label>
						)}
					</For>
				</fieldset>
				<p id={`${id}-help`} class="field-help">
					No client gets the tools that are off here for this connection. AI access in Settings shows the tools of each
					client.
				</p>
			</div>
		</fieldset>
	)
}
