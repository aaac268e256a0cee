// SPDX-License-Identifier: BSD-2-Clause
// The header of a PLY file: "ply", then lines "element NAME COUNT" and "property …" up to "end_header". Every element takes a byte at least.
#include <stiction/base/invalid_input.h>
#include <stiction/model/files/mesh_files.h>

#include <sstream>

namespace stiction {

void check_ply(const std::string& bytes, const std::string& path) {
  if (!bytes.starts_with("ply")) return;
  std::istringstream header(bytes.substr(0, bytes.find("end_header")));
  const std::string file = "mesh file '" + path + "'";
  for (std::string line; std::getline(header, line);) {
    std::istringstream words(line);
    std::string what, name, count;
    words >> what >> name >> count;
    if (what == "element") {
      const bool digits = !count.empty() && count.find_first_not_of("0123456789") == std::string::npos;
      if (!digits || count.size() > 12 || std::stoull(count) > bytes.size())
        throw InvalidInput(file + " claims " + count.substr(0, 30) + " elements '" + name + "', and has " +
                           std::to_string(bytes.size()) + " bytes");
    }
    if (what == "property" && name == "list" && (count == "int" || count == "uint" || count.ends_with("32")))
      throw InvalidInput(file + " has lists whose length is of the type " + count.substr(0, 30) +
                         ", expected one or two bytes");
  }
}

}  // namespace stiction
