import { createInterface } from 'node:readline/promises'

/** Asks the user at the terminal. Without one the answer is no. */
export async function agrees(question: string): Promise<boolean> {
	if (!process.stdin.isTTY) return false
	const prompt = createInterface({ input: process.stdin, output: process.stdout })
	const answer = await prompt.question(`${question} [y/N] `)
	prompt.close()
	return /^y(es)?$/i.test(answer.trim())
}
