import * as z from 'zod'

/** Schema of an order as a scenario file, with a test. */
export const keptScenario = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the scenario.' }),
    file: z.string().meta({ description: 'The name of the scenario file.' }),
    yaml: z.string().meta({ description: 'The scenario file.' }),
    testFile: z.string().meta({ description: 'The name of the test file.' }),
    test: z.string().meta({ description: 'The test, which reads the scenario file beside it.' }),
    notes: z
      .array(z.string())
      .meta({ description: 'What the scenario does not repeat; in the file as comments.' }),
  })
  .meta({ id: 'KeptScenario', description: 'An order as a scenario, and a test that plays it.' })
