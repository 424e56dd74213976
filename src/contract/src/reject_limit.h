// "5%", "0.05", "5%, at least 20 rows".
#pragma once

#include <string>
#include <string_view>

#include <base/result.h>
#include <contract/model.h>

namespace contract {

std::string print_reject_limit(const RejectLimit& limit);  // "2.5%, at least 20 rows"

}  // namespace contract
