import { type DemoOptions, type DemoService as PlainService, startDemoService as start } from '../../src/demo/service.ts';
import { FaultPlan } from './faults.ts';
import { fail } from './transmit.ts';

export type { DemoOptions } from '../../src/demo/service.ts';

export interface DemoService extends PlainService {
  readonly faults: FaultPlan;
}

/** The demo service with requests that can be made to fail. */
export async function startDemoService(options?: DemoOptions): Promise<DemoService> {
  const service = await start(options);
  const faults = new FaultPlan();
  service.behaviour.onExchange = async (exchange) => {
    const fault = faults.take(exchange.request);
    await (fault === undefined ? exchange.answer() : fail(exchange, fault));
  };
  return { ...service, faults };
}
