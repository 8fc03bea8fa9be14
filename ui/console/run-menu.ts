import Copy from 'lucide-solid/icons/copy'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import type { ConsoleResult } from '../../host/api/api.ts'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import { answerOf } from '../results/answer.ts'
import type { Engine } from '../state/engine.tsx'
import type { OpenConsole } from './console.ts'
import type { Run } from './run.ts'

/** What can be done with a run, wherever it is shown. */
export function runEntries(
	run: Run,
	console: OpenConsole,
	{ noun: { one }, copiesAs }: Engine['console'],
): readonly (MenuEntry | 'line')[] {
	const result = run.task.value()
	const copy = (answer: ConsoleResult) => copyText(new TextDecoder().decode(answerOf(answer)))
	return [
		{ label: 'Copy the answer', Icon: Copy, isDisabled: !result, run: () => void (result && copy(result)) },
		{ label: `Copy the ${one}`, run: () => void copyText(run.statement) },
		...(copiesAs === undefined
			? []
			: [{ label: `Copy the ${one} as ${copiesAs}`, run: () => console.copyAs(run.typed) }]),
		{
			label: `Append the ${one} to the console`,
			Icon: SquareTerminal,
			run: () => console.editor.append(run.statement),
		},
	]
}
