import { DriverError, defineDriver, isJsonObject, type ResourceContents } from '@roundhouse/kit'
import { image, resource, sound, text } from './content.ts'
import { askForContext, askingTools } from './questions.ts'

/** Provides what the official MCP suite expects of a server, through the public kit only. */

const resources: Readonly<Record<string, Omit<ResourceContents, 'uri'>>> = {
	'test://static-text': { mimeType: 'text/plain', text: 'A text that stays.' },
	'test://static-binary': { mimeType: 'image/png', blob: image.data },
	'test://watched-resource': { mimeType: 'text/plain', text: 'A text that could change.' },
}

export default defineDriver({
	connect: async () => {
		throw new DriverError('unsupported', 'This driver has tools only.')
	},
	tools: {
		...askingTools,
		simple_text: async () => ({ content: [text('A simple text.')] }),
		image_content: async () => ({ content: [image] }),
		audio_content: async () => ({ content: [sound] }),
		embedded_resource: async () => ({ content: [resource('test://embedded-resource')] }),
		multiple_content_types: async () => ({
			content: [text('Several blocks:'), image, resource('test://mixed-content-resource')],
		}),
		error_handling: async () => ({ content: [text('This tool fails on purpose.')], isError: true }),
		logging_tool: async () => ({ content: [text('Nothing was logged.')] }),
		header: async args => ({ content: [text(`The region is ${String(args.region)}.`)] }),
		tool_with_progress: async (_args, call) => {
			for (const done of [0, 50, 100]) {
				call.progress({ done, total: 100 })
				await new Promise(resolve => setTimeout(resolve, 20))
			}
			return { content: [text('Done.')] }
		},
		missing_capability: async (_args, { clientCapabilities }) =>
			isJsonObject(clientCapabilities.sampling)
				? { content: [text('The client can sample.')] }
				: { missingCapability: { sampling: {} } },
	},
	prompts: {
		simple_prompt: async () => ({ messages: [{ role: 'user', content: text('A simple prompt.') }] }),
		prompt_with_arguments: async ({ arg1, arg2 }) => ({
			messages: [{ role: 'user', content: text(`The arguments are '${arg1}' and '${arg2}'.`) }],
		}),
		prompt_with_embedded_resource: async ({ resourceUri = '' }) => ({
			messages: [
				{ role: 'user', content: resource(resourceUri) },
				{ role: 'user', content: text('What does it say?') },
			],
		}),
		prompt_with_image: async () => ({
			messages: [
				{ role: 'user', content: image },
				{ role: 'user', content: text('What does it show?') },
			],
		}),
		input_required_result_prompt: async (_args, { inputResponses }) =>
			askForContext(inputResponses) ?? {
				messages: [{ role: 'user', content: text('With that context in mind: hello.') }],
			},
	},
	readResource: async uri => {
		const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
		const found = id === undefined ? resources[uri] : { mimeType: 'application/json', text: JSON.stringify({ id }) }
		if (!found) throw new DriverError('not_found', `There is no resource ${uri}.`)
		return { contents: [{ uri, ...found }] }
	},
	complete: async ({ argument }) => {
		const values = ['test', 'testing', 'tested'].filter(word => word.startsWith(argument.value))
		return { values, total: values.length, hasMore: false }
	},
})
