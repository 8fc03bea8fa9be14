import Bot from 'lucide-solid/icons/bot'
import FileInput from 'lucide-solid/icons/file-input'
import FlaskConical from 'lucide-solid/icons/flask-conical'
import { For, type JSX, Show } from 'solid-js'
import type { FirstStep } from '../../host/api/api.ts'
import { DriverIcon } from '../controls/driver-icon.tsx'
import { useHost } from '../state/host.tsx'
import { createReading } from '../state/task.ts'

/** First steps for a new user, in addition to a new connection. Each leads to rows or to an AI client. */
export function FirstSteps(props: {
	onStep(step: FirstStep): void
	onImport(): void
	onAiClient(): void
}): JSX.Element {
	const host = useHost()
	// The page offers a new connection meanwhile, and no step moves once it is shown.
	const steps = createReading(call => host.call('drivers.firstSteps', {}, call))
	return (
		<Show when={!steps.isRunning()}>
			<ul class="first-steps" aria-label="First steps">
				<For each={steps.value() ?? []}>
					{step => (
						<li>
							<button type="button" class="choice" onClick={() => props.onStep(step)}>
								<Show when={step.server} fallback={<FlaskConical size={24} />}>
									<DriverIcon svg={step.icon} size={24} />
								</Show>
								<span class="lines">
									<span class="name">
										{step.server === undefined ? `Use the ${step.engine} sample` : `Connect to ${step.engine}`}
									</span>
									<span class="quiet">
										{step.server === undefined
											? 'A small database to try everything on'
											: `It listens at ${step.server}`}
									</span>
								</span>
							</button>
						</li>
					)}
				</For>
				<li>
					<button type="button" class="choice" onClick={() => props.onImport()}>
						<FileInput size={24} />
						<span class="lines">
							<span class="name">Import connections</span>
							<span class="quiet">From a file of another program; you see it first</span>
						</span>
					</button>
				</li>
				<li>
					<button type="button" class="choice" onClick={() => props.onAiClient()}>
						<Bot size={24} />
						<span class="lines">
							<span class="name">Set up an AI client</span>
							<span class="quiet">It sees what you allow, and asks before it writes</span>
						</span>
					</button>
				</li>
			</ul>
		</Show>
	)
}
