import { createUniqueId, For, type JSX } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { toolGroups, toolGroupWords } from '../words/tool-groups.ts'
import { FormFieldView } from './form-field.tsx'

export type AiPolicy = Pick<ConnectionView, 'externalAccess' | 'aiPolicy' | 'hiddenToolGroups'>

export const defaultPolicy: AiPolicy = { externalAccess: 'read-only', aiPolicy: 'ask', hiddenToolGroups: [] }

const select = { type: 'select' as const, section: '', required: false }

/** The access of AI clients to the connection. */
export function AiPolicyFields(props: { readonly policy: AiPolicy; onChange(policy: AiPolicy): void }): JSX.Element {
	const id = createUniqueId()
	const hidden = () => props.policy.hiddenToolGroups
	return (
		<fieldset class="section">
			<legend>AI access</legend>
			<FormFieldView
				field={{
					...select,
					key: '_externalAccess',
					label: 'External access',
					options: [
						{ value: 'blocked', label: 'Blocked' },
						{ value: 'read-only', label: 'Read only' },
						{ value: 'read-write', label: 'Read and write' },
					],
					help: 'You confirm each write.',
				}}
				value={props.policy.externalAccess}
				onChange={value => props.onChange({ ...props.policy, externalAccess: value as AiPolicy['externalAccess'] })}
			/>
			<FormFieldView
				field={{
					...select,
					key: '_aiPolicy',
					label: 'AI policy',
					options: [
						{ value: 'ask', label: 'Ask at first use' },
						{ value: 'allow', label: 'Allow' },
						{ value: 'never', label: 'Never' },
					],
				}}
				value={props.policy.aiPolicy}
				onChange={value => props.onChange({ ...props.policy, aiPolicy: value as AiPolicy['aiPolicy'] })}
			/>
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
