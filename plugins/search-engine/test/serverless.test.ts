import { directContext } from '@roundhouse/kit/testing'
import { startSample } from '../sample/main.ts'
import { describeServerless } from './engine-contract/serverless.ts'

describeServerless('the sample', () => startSample(directContext(), { version: '9.2.0' }))
