import { describeExpressions } from './suite.ts'

describeExpressions('others')
