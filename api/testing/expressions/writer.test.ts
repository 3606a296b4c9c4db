import { describeExpressions } from './suite.ts'

describeExpressions('writer')
