import { For, type JSX, Show } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import { Toggle } from '../controls/toggle.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { count, counted } from '../words/format.ts'
import { type ToolGroup, toolGroups, toolGroupWords } from '../words/tool-groups.ts'

/** What a client with a token sees: tools, their groups and their cost in model tokens. Read on request. */
export function TokenSight(props: { readonly id: string; readonly name: string }): JSX.Element {
	const host = useHost()
	const sight = createTask((call, groups?: readonly ToolGroup[]) =>
		groups
			? host.call('tokens.setGroups', { id: props.id, groups })
			: host.call('tokens.tools', { id: props.id }, call),
	)
	const total = () => (sight.value()?.tools ?? []).reduce((sum, tool) => sum + tool.tokens, 0)
	return (
		<details
			class="token-tools"
			onToggle={event => {
				if (event.currentTarget.open) void sight.run()
			}}
		>
			<summary>Visible tools</summary>
			<Show when={sight.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={sight.value()}>
				{seen => (
					<>
						<fieldset class="token-groups" aria-label={`Groups of tools of ${props.name}`}>
							<For each={toolGroups}>
								{group => (
									<Toggle
										isOn={seen().groups.includes(group)}
										onChange={isOn =>
											sight.run(toolGroups.filter(other => (other === group ? isOn : seen().groups.includes(other))))
										}
									>
										<span title={`The group ${group}`}>{toolGroupWords[group]}</span>
									</Toggle>
								)}
							</For>
						</fieldset>
						<p class="quiet" aria-live="polite">
							{counted(seen().tools.length, { one: 'tool', many: 'tools' })}, about {count(total())} tokens of every
							conversation.
						</p>
						<ul class="token-tool-list">
							<For each={seen().tools}>
								{tool => (
									<li title={tool.description}>
										<code>{tool.name}</code> <span class="quiet">{count(tool.tokens)}</span>
									</li>
								)}
							</For>
						</ul>
					</>
				)}
			</Show>
		</details>
	)
}
