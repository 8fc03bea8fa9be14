import { Key } from '@solid-primitives/keyed'
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { NewToken, TokenDraft } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { moment } from '../words/format.ts'
import { TokenSight } from './token-sight.tsx'
import { coreScopes, levels, lifetimes, scopeWords } from './token-words.ts'

/** Tokens: created, shown once, revoked. */
export function Tokens(): JSX.Element {
	const host = useHost()
	const tokens = createReading(call => host.call('tokens.list', {}, call))
	const [name, setName] = createSignal('')
	const [level, setLevel] = createSignal<TokenDraft['level']>('read-only')
	const [scopes, setScopes] = createSignal<readonly string[]>(['tools:read'])
	const [expires, setExpires] = createSignal('30d')
	const [created, setCreated] = createSignal<NewToken>()
	const live = () => (tokens.value() ?? []).filter(token => token.revokedAt === null)

	const creating = createTask(async () => {
		const chosen = level() === 'custom' ? { scopes: scopes() } : {}
		setCreated(await host.call('tokens.create', { name: name().trim(), level: level(), expires: expires(), ...chosen }))
		setName('')
		await tokens.run()
	})
	const revoking = createTask(async (_, id: string) => {
		await host.call('tokens.revoke', { id })
		await tokens.run()
	})

	return (
		<fieldset class="section">
			<legend>Tokens</legend>
			<form
				class="token-form"
				onSubmit={event => {
					event.preventDefault()
					void creating.run()
				}}
			>
				<input
					aria-label="Name of the token"
					placeholder="Purpose"
					value={name()}
					onInput={event => setName(event.currentTarget.value)}
				/>
				<select
					aria-label="Level"
					value={level()}
					onChange={event => setLevel(event.currentTarget.value as TokenDraft['level'])}
				>
					<For each={Object.entries(levels)}>{([value, label]) => <option value={value}>{label}</option>}</For>
					<option value="custom">Chosen rights</option>
				</select>
				<select aria-label="Expires" value={expires()} onChange={event => setExpires(event.currentTarget.value)}>
					<For each={Object.entries(lifetimes)}>{([value, label]) => <option value={value}>{label}</option>}</For>
				</select>
				<button
					type="submit"
					class="button primary"
					disabled={name().trim() === '' || (level() === 'custom' && scopes().length === 0)}
				>
					Create
				</button>
				<Show when={level() === 'custom'}>
					<fieldset class="token-scopes" aria-label="Rights">
						<For each={coreScopes}>
							{scope => (
								<label>
									<input
										type="checkbox"
										checked={scopes().includes(scope)}
										onChange={event =>
											setScopes(all =>
												event.currentTarget.checked ? [...all, scope] : all.filter(other => other !== scope),
											)
										}
									/>{' '}
									<span title={scope}>{scopeWords(scope)}</span>
								</label>
							)}
						</For>
					</fieldset>
				</Show>
			</form>
			<Show when={creating.error() ?? revoking.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={created()}>
				{token => (
					<div class="shown-once">
						<span>Copy it now; it is shown once.</span>
						<code>{token().token}</code>
						<CopyButton label="Copy the token" text={() => token().token} />
					</div>
				)}
			</Show>
			<Failure of={tokens} />
			<ul class="list" aria-label="Tokens">
				<li class="card">
					<div class="lines">
						<span class="name">Clients without a token</span>
						<span class="quiet">Set up above, through the bridge. They read and write as each connection allows.</span>
						<TokenSight id="bridge" name="Clients without a token" />
					</div>
				</li>
				<Key each={live()} by="id" fallback={<li class="quiet">No tokens yet.</li>}>
					{token => (
						<li class="card">
							<div class="lines">
								<span class="name">{token().name}</span>
								<span class="quiet">
									{token().scopes.map(scopeWords).join(', ')} · {day('until', token().expiresAt) ?? 'never expires'} ·{' '}
									{day('last used', token().lastUsedAt) ?? 'never used'}
								</span>
								<TokenSight id={token().id} name={token().name} />
							</div>
							<button type="button" class="button" onClick={() => void revoking.run(token().id)}>
								Revoke
							</button>
						</li>
					)}
				</Key>
			</ul>
		</fieldset>
	)
}

const day = (word: string, time: string | null) => time && `${word} ${moment(time)}`
