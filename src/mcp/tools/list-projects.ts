import * as z from 'zod';
import type { ProjectId } from '../../service/ids.ts';
import { defineTool } from '../define-tool.ts';
import {
  listedProjectOut,
  listNotes,
  listOrSearch,
  PagerOut,
  ProjectOut,
  pageArgument,
  projectPlanTypeArgument,
  sizeArgument,
  sortArgument,
} from '../schemas/shapes.ts';

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description:
    'Projects (folders of videos), a page at a time; with search, over all pages. Their videos can’t be listed; query_analytics by video names those with views. planType is standard or edge, not an account plan.',
  effect: 'read',
  input: {
    search: z.string().max(200).optional(),
    planType: projectPlanTypeArgument,
    sort: sortArgument,
    projectId: z.string().max(500).optional(),
    parentId: z.string().max(500).optional(),
    page: pageArgument,
    size: sizeArgument,
  },
  output: { pager: PagerOut, projects: z.array(ProjectOut), ...listNotes },
  cuttable: ['projects'],
  run: async ({ search, page, size, projectId, parentId, ...rest }, { client, account, signal, progress }) => {
    // The service takes any text as an id.
    const filter = { ...rest, projectId: projectId as ProjectId | undefined, parentId: parentId as ProjectId | undefined };
    const query = { ...filter, page, size };
    const list = () => client.projects.list(query, signal);
    const find = (text: string) => account.searchProjects(text, { signal, progress }, filter);
    const { items, ...found } = await listOrSearch(search, query, list, find);
    return { ...found, projects: items.map(listedProjectOut) };
  },
});
