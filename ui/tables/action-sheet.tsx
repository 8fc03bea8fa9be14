import { For, type JSX, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { ActionField, ActionForm, FormField } from '../../host/api/api.ts'
import { FormFieldView } from '../connections/form-field.tsx'
import { initialValues, isVisible, settingsOf, valueError } from '../connections/form-values.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Failure } from '../controls/failure.tsx'
import { useHost } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { createTask } from '../state/task.ts'

/** An action of the driver that has a form. */
export interface FormAction {
	readonly label: string
	readonly tables: readonly string[]
	readonly form: ActionForm
}

/** The form of an action. Its text is reviewed and runs, or opens in the console. Nothing is sent before the user agrees. */
export function ActionSheet(props: {
	readonly connection: TabConnection
	readonly action: FormAction
	onConsole(text: string): void
	/** Shows the text for review, and runs it if the user agrees. */
	onRun(text: string): void
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const form = props.action.form.fields.map(fieldOf)
	const [values, setValues] = createStore(initialValues({ form }))
	const { canRun } = props.action.form
	const filling = createTask(async (call, use: (text: string) => void) => {
		const { form: filledForm, tables } = props.action
		const shown = form.filter(field => isVisible(field, values))
		const fault = shown.map(field => valueError(field, values[field.key] ?? '')).find(text => text !== undefined)
		if (fault !== undefined) throw new Error(fault)
		const filled = { tables, form: filledForm.id, values: settingsOf({ form }, values) }
		const text = await host.call('tables.fillAction', { connection: props.connection.id, filled }, call)
		props.onClose()
		use(text)
	})
	/** A form for one table names it: the list that it was chosen from is gone. */
	const title = () => {
		const { label, tables } = props.action
		return [label.replace(/ …$/, ''), tables.length === 1 ? tables[0] : undefined].filter(Boolean).join(' · ')
	}
	return (
		<Dialog title={title()} holdsTyped onClose={props.onClose}>
			<form
				class="form"
				onSubmit={event => {
					event.preventDefault()
					void filling.run(canRun ? props.onRun : props.onConsole)
				}}
			>
				<div class="dialog-body">
					<For each={form}>
						{field => (
							<Show when={isVisible(field, values)}>
								<FormFieldView
									field={field}
									value={values[field.key] ?? ''}
									onChange={value => setValues(field.key, value)}
								/>
							</Show>
						)}
					</For>
					<Failure of={filling} />
				</div>
				<footer class="dialog-foot">
					<button type="button" class="button" onClick={() => props.onClose()}>
						Cancel
					</button>
					<Show when={canRun}>
						<button
							type="button"
							class="button"
							disabled={filling.isRunning()}
							onClick={() => void filling.run(props.onConsole)}
						>
							Open in the console
						</button>
					</Show>
					<button type="submit" class="button primary" disabled={filling.isRunning()}>
						{canRun ? 'Review and run' : 'Open in the console'}
					</button>
				</footer>
			</form>
		</Dialog>
	)
}

/** Returns a field as forms of connections have it. */
const fieldOf = ({ options, visibleWhen, ...field }: ActionField): FormField => ({
	section: 'General',
	required: false,
	...field,
	...(options && { options: [...options] }),
	...(visibleWhen && { visibleWhen: { ...visibleWhen, is: [...visibleWhen.is] } }),
})
