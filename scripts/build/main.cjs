#!/usr/bin/env node
'use strict';
require('./load-cached.cjs').load(__dirname, 'server');
